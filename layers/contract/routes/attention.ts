// Rows of the older USDC attention pricing. New bonds are retired; ATTN replaces them.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/attention.ts';
import { SuccessReply } from '../schemas/fields.ts';

export const attentionRoutes = {
  getAttentionPrice: defineRoute({
    operationId: 'getAttentionPrice',
    method: 'GET',
    path: '/api/attention/price/{handle}',
    area: 'attention',
    access: 'public',
    summary: "USDC price of a recipient's attention",
    description:
      'Returns p0 * (1 + alpha * demand) ^ beta, where demand is the mail of today and the six UTC days before. A recipient without bonds has ' +
      '`attention_bonds_enabled: false` and price 0. An unknown handle is 404.',
    params: schema.RecipientParams,
    responses: { 200: { description: 'The price.', body: schema.GetAttentionPriceReply } },
    errors: ['not_found'],
    cacheSeconds: 60,
  }),
  getAttentionPriceForSender: defineRoute({
    operationId: 'getAttentionPriceForSender',
    method: 'GET',
    path: '/api/attention/price/{handle}/for/{sender}',
    area: 'attention',
    access: 'public',
    summary: 'USDC price for one sender',
    description:
      "Returns the recipient price times (1 - gamma * R), where R is the sender's reply rate with the recipient, and at least p0 * (1 - gamma). " +
      'A whitelisted sender pays 0. An unknown recipient is 404.',
    params: schema.RecipientSenderParams,
    responses: { 200: { description: 'The price.', body: schema.GetAttentionPriceForSenderReply } },
    errors: ['not_found'],
    cacheSeconds: 60,
  }),
  getAttentionQaf: defineRoute({
    operationId: 'getAttentionQaf',
    method: 'GET',
    path: '/api/attention/qaf/{handle}',
    area: 'attention',
    access: 'public',
    summary: 'Quadratic attention score',
    description: 'QAF = (sum over senders of sqrt(bond)) squared, over active and refunded bonds. An unknown handle is 404.',
    params: schema.RecipientParams,
    responses: { 200: { description: 'The score.', body: schema.GetAttentionQafReply } },
    errors: ['not_found'],
  }),
  getAttentionCoqaf: defineRoute({
    operationId: 'getAttentionCoqaf',
    method: 'GET',
    path: '/api/attention/coqaf/{handle}',
    area: 'attention',
    access: 'public',
    summary: 'Connection-oriented attention score',
    description:
      "QAF with each sender's bond divided by 1 + the sum of its overlaps, an overlap being the Jaccard similarity of two senders' recipients: " +
      'bridging senders keep their weight, bonding senders are discounted. The recipients of a sender are those of all its active and refunded ' +
      'bonds, this one included. An unknown handle is 404.',
    params: schema.RecipientParams,
    responses: { 200: { description: 'The score.', body: schema.GetAttentionCoqafReply } },
    errors: ['not_found'],
  }),
  getAttentionConfig: defineRoute({
    operationId: 'getAttentionConfig',
    method: 'GET',
    path: '/api/attention/config',
    area: 'attention',
    access: 'account',
    summary: 'Your USDC pricing',
    description: 'Returns the stored pricing, or `{enabled: false}` when none was ever stored.',
    responses: { 200: { description: 'The configuration.', body: schema.AttentionConfig } },
    errors: [],
  }),
  updateAttentionConfig: defineRoute({
    operationId: 'updateAttentionConfig',
    method: 'PUT',
    path: '/api/attention/config',
    area: 'attention',
    access: 'account',
    summary: 'Change your USDC pricing',
    description: 'Stores the pricing; omitted fields keep their value. A value out of its range is 400. Returns what is stored.',
    body: schema.UpdateAttentionConfigRequest,
    responses: { 200: { description: 'The configuration stored.', body: schema.AttentionConfig } },
    errors: ['try_again'],
  }),
  recordAttentionBond: defineRoute({
    operationId: 'recordAttentionBond',
    method: 'POST',
    path: '/api/attention/bond',
    area: 'attention',
    access: 'wallet',
    summary: 'Record a USDC bond (retired)',
    description:
      'Deprecated and retired: always 410, with `migration` naming what replaces it. Use the ATTN endpoints: getAttnBalance ' +
      '(GET /api/attn/balance), updateAttnSettings (PUT /api/attn/settings) and buyAttn (POST /api/attn/buy); sendEmail stakes by itself.',
    body: schema.RecordAttentionBondRequest,
    bodyOptional: true,
    responses: { 410: { description: 'Retired; `migration` names the ATTN endpoints.', body: schema.RecordAttentionBondGone } },
    errors: ['bonds_retired'],
    deprecated: { replacedBy: 'getAttnBalance' },
  }),
  resolveAttentionBond: defineRoute({
    operationId: 'resolveAttentionBond',
    method: 'POST',
    path: '/api/attention/reply/{email_id}',
    area: 'attention',
    access: 'account',
    summary: 'Resolve the bond on a message you answered',
    description:
      "Resolves the active bond on a received message as refunded; a protocol fee of 10 % is withheld and the sender's reputation grows. " +
      'sendEmail with `in_reply_to` does the same. Without an active bond it is 404.',
    params: schema.BondEmailParams,
    responses: { 200: { description: 'The bond is refunded.', body: schema.ResolveAttentionBondReply } },
    errors: ['not_found', 'try_again'],
    idempotent: true,
  }),
  listWhitelist: defineRoute({
    operationId: 'listWhitelist',
    method: 'GET',
    path: '/api/attention/whitelist',
    area: 'attention',
    access: 'account',
    summary: 'Senders you let through for free',
    description: 'Lists the senders that pay no bond and stake no ATTN when they write to you.',
    responses: { 200: { description: 'The whitelist.', body: schema.ListWhitelistReply } },
    errors: [],
  }),
  addWhitelistEntry: defineRoute({
    operationId: 'addWhitelistEntry',
    method: 'POST',
    path: '/api/attention/whitelist',
    area: 'attention',
    access: 'account',
    summary: 'Let a sender through for free',
    description:
      'Adds a sender by handle (with or without .base.eth), by wallet or by both. Mail from it needs no bond and stakes no ATTN. The entry stands ' +
      'for the wallet, whatever its handle becomes; naming a sender again changes the note. A handle that is unknown here is 404 unless its ' +
      'wallet is given too. At most 500 entries.',
    body: schema.AddWhitelistEntryRequest,
    responses: { 201: { description: 'The entry was made.', body: schema.AddWhitelistEntryReply } },
    errors: ['not_found', 'limit_reached', 'try_again'],
    idempotent: true,
  }),
  removeWhitelistEntry: defineRoute({
    operationId: 'removeWhitelistEntry',
    method: 'DELETE',
    path: '/api/attention/whitelist/{sender}',
    area: 'attention',
    access: 'account',
    summary: 'Take a sender off the whitelist',
    description:
      'Removes the entries of a sender, named by handle (with or without .base.eth) or wallet. A sender that is not listed is 404.',
    params: schema.WhitelistSenderParams,
    responses: { 200: { description: 'The sender is off the list.', body: SuccessReply } },
    errors: ['not_found', 'try_again'],
  }),
  getAttentionStats: defineRoute({
    operationId: 'getAttentionStats',
    method: 'GET',
    path: '/api/attention/stats',
    area: 'attention',
    access: 'account',
    summary: 'Your bonds and mail, counted',
    description: 'Returns bonds received and sent, your QAF, and how much mail you received and sent.',
    responses: { 200: { description: 'The figures.', body: schema.GetAttentionStatsReply } },
    errors: [],
  }),
  listMyBonds: defineRoute({
    operationId: 'listMyBonds',
    method: 'GET',
    path: '/api/attention/my-bonds',
    area: 'attention',
    access: 'account',
    summary: 'Your USDC bonds',
    description:
      'Lists the bonds on mail to you and from you, newest first. The call also settles bonds on its page whose deadline has passed.',
    query: schema.ListMyBondsQuery,
    responses: { 200: { description: 'A page of bonds.', body: schema.ListMyBondsReply } },
    errors: ['invalid_request'],
  }),
} as const;
