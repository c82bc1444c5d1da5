// Rows of registering a mailbox and of the names it may carry.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/registration.ts';

const PURCHASE_ERRORS = [
  'invalid_name',
  'name_too_expensive',
  'name_not_owned',
  'handle_taken',
  'rate_limited',
  'purchase_failed',
] as const;

export const registrationRoutes = {
  registerEmail: defineRoute({
    operationId: 'registerEmail',
    method: 'POST',
    path: '/api/register',
    area: 'registration',
    access: 'wallet',
    summary: 'Register a mailbox for the wallet',
    description:
      'Makes the account of the wallet in the Bearer token, with 10 credits and 50 ATTN. The handle is the owned `basename`; else the name ' +
      'bought with `auto_basename` (the service pays; names above 0.002 ETH are refused); else the reverse-resolved name; else the ' +
      'lower-case 0x address. A registered wallet that names an owned `basename` gets it as an alias (200); without one it gets 409. ' +
      '`auto_basename` without `basename_name` is 400.',
    body: schema.RegisterEmailRequest,
    bodyOptional: true,
    responses: {
      200: { description: 'The wallet was registered already; the name is now an alias.', body: schema.AliasAddedReply },
      201: { description: 'The account was made.', body: schema.RegisterEmailReply },
    },
    errors: [
      ...PURCHASE_ERRORS,
      'wallet_already_registered',
      'name_unavailable',
      'price_unavailable',
      'chain_unavailable',
      'auto_registration_unavailable',
      'try_again',
    ],
    limits: ['register', 'sponsored-basename'],
    idempotent: true,
    secretReply: true,
    payment: {
      amount: '1000000',
      description:
        'Without a Bearer the call can be paid: 1.00 USDC.e by an MPP `Payment` credential; the account is then made for the wallet that ' +
        'the credential proves as payer.',
    },
  }),
  upgradeHandle: defineRoute({
    operationId: 'upgradeHandle',
    method: 'PUT',
    path: '/api/register/upgrade',
    area: 'registration',
    access: 'wallet',
    summary: 'Turn a 0x handle into a name handle',
    description:
      'Gives an account with a 0x handle the owned `basename`, a name bought with `auto_basename`, or the reverse-resolved name. Mail, keys, ' +
      'bonds and settings stay as they are, because they belong to the wallet; the old 0x address keeps delivering to the same inbox. ' +
      'Returns a new token. A wallet without an account, or without any name, gets 404.',
    body: schema.UpgradeHandleRequest,
    bodyOptional: true,
    responses: { 200: { description: 'The handle is now the name.', body: schema.UpgradeHandleReply } },
    errors: [
      ...PURCHASE_ERRORS,
      'already_named',
      'not_found',
      'name_unavailable',
      'price_unavailable',
      'chain_unavailable',
      'auto_registration_unavailable',
      'try_again',
    ],
    limits: ['sponsored-basename'],
    secretReply: true,
  }),
  checkRegistration: defineRoute({
    operationId: 'checkRegistration',
    method: 'GET',
    path: '/api/register/check/{query}',
    area: 'registration',
    access: 'public',
    summary: 'Look a wallet or a name up before registering',
    description:
      'For a wallet address: the handle it has or would get. For a name (with or without .base.eth): whether it is `available`, `taken`, ' +
      '`reserved` or `unknown`, and its price. `reserved` stands for service names and for names owned on chain but not registered here; ' +
      '`note` says which. When the chain does not answer, the status is `unknown`. Anything else is 400.',
    params: schema.CheckRegistrationParams,
    responses: { 200: { description: 'What is known of the wallet or name.', body: schema.CheckRegistrationReply } },
    errors: ['invalid_name'],
    cacheSeconds: 60,
  }),
  getNamePrice: defineRoute({
    operationId: 'getNamePrice',
    method: 'GET',
    path: '/api/register/price/{name}',
    area: 'registration',
    access: 'public',
    summary: 'Price of a name for one year',
    description: 'Asks the registrar on chain for the price of a name for one year. A name in its 90-day grace period is not available.',
    params: schema.NameParams,
    responses: { 200: { description: 'The price, when the name is available.', body: schema.GetNamePriceReply } },
    errors: ['invalid_name', 'price_unavailable'],
    cacheSeconds: 60,
  }),
  getNameBuyData: defineRoute({
    operationId: 'getNameBuyData',
    method: 'GET',
    path: '/api/register/buy-data/{name}',
    area: 'registration',
    access: 'public',
    summary: 'Transaction data to buy a name',
    description:
      'Returns a transaction that buys the name for `owner` for one year: send `to`, `data` and `value` as they are, from any wallet. ' +
      'The value includes a buffer of 10 %; the registrar returns what is over. Integers are decimal strings.',
    params: schema.NameParams,
    query: schema.GetNameBuyDataQuery,
    responses: { 200: { description: 'The transaction to send.', body: schema.GetNameBuyDataReply } },
    errors: ['invalid_name', 'name_unavailable', 'price_unavailable'],
  }),
  listBasenames: defineRoute({
    operationId: 'listBasenames',
    method: 'GET',
    path: '/api/register/basenames/{address}',
    area: 'registration',
    access: 'public',
    summary: 'Names that a wallet owns',
    description: 'Lists the names that the wallet owns on chain, merged with the aliases stored for it.',
    params: schema.ListBasenamesParams,
    responses: { 200: { description: 'The names.', body: schema.ListBasenamesReply } },
    errors: ['chain_unavailable'],
  }),
} as const;
