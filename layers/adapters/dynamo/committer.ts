// The committer: turns a list of changes into one transaction. One line a kind; the writes stand beside their aggregate.
import type { Change, Committer } from '#domain/ports/changes.ts';
import {
  bondEndWrites,
  bondPutWrites,
  configureWrite,
  pairCountWrite,
  whitelistPutWrite,
  whitelistRemoveWrite,
} from './changes/attention-writes.ts';
import { answerWrite, mailBondWrite } from './changes/answer-writes.ts';
import { waveClaimWrites } from './changes/airdrop-writes.ts';
import { accountEffects, accountWrite, createWrite } from './changes/account-writes.ts';
import {
  claimCommitWrite,
  claimDropWrite,
  forgetWrite,
  movementWrites,
  outboxPutWrite,
  outboxSettleWrite,
  refundMarkWrite,
  seenWrite,
} from './changes/effect-writes.ts';
import {
  handleClaimWrites,
  handleHeldWrite,
  keyPutWrites,
  keyRevokeWrites,
  nonceConsumeWrite,
  refreshConsumeWrite,
  refreshPutWrite,
} from './changes/identity-writes.ts';
import {
  digestSetWrite,
  digestTakeWrite,
  expireWrites,
  standingBouncesWrite,
  standingSentWrite,
  suppressionPutWrite,
  uploadPutWrite,
  wirePutWrite,
} from './changes/mail-area-writes.ts';
import {
  deleteWrites,
  deliveryWrite,
  keepAttachmentsWrite,
  keepWrite,
  pendingAddWrites,
  pendingAdoptWrite,
  putWrites,
  readWrite,
  settleWrite,
} from './changes/mail-writes.ts';
import {
  aliasDemoteWrites,
  aliasPromoteWrites,
  aliasRemoveWrites,
  directoryPutWrite,
  purchaseEndWrite,
  purchaseSendWrites,
} from './changes/name-writes.ts';
import { humanLinkWrites, humanNonceWrite, humanUnlinkWrites } from './changes/world-id-writes.ts';
import { entitlementSpendWrite, paymentCheckWrite, paymentRedeemWrites, paymentRevokeWrites } from './changes/payment-writes.ts';
import {
  deliveryOrderWrite,
  webhookChangeWrite,
  webhookDeleteWrites,
  webhookPutWrites,
  webhookRotateWrite,
} from './changes/webhooks-writes.ts';
import type { Table } from './table.ts';
import { transact, type Write } from './transact.ts';

type Renderer<K extends Change['kind']> = (name: string, change: Extract<Change, { kind: K }>, all: readonly Change[]) => Write | Write[];

/** Total over every kind of change: a new kind without its writes does not compile. */
const RENDERERS: { readonly [K in Change['kind']]: Renderer<K> } = {
  'account.create': createWrite,
  // Rendered together with the movements, as one update for each account.
  'account.change': () => [],
  movement: movementWrites,
  'handle.claim': handleClaimWrites,
  'handle.held': handleHeldWrite,
  'mail.put': putWrites,
  'mail.read': readWrite,
  'mail.settle': settleWrite,
  'mail.delete': deleteWrites,
  'mail.delivery': deliveryWrite,
  'mail.keep': (name, change) =>
    change.hasAttachments ? [keepWrite(name, change), keepAttachmentsWrite(name, change)] : keepWrite(name, change),
  'pending.add': pendingAddWrites,
  'pending.adopt': pendingAdoptWrite,
  'alias.promote': aliasPromoteWrites,
  'alias.demote': aliasDemoteWrites,
  'alias.remove': aliasRemoveWrites,
  'purchase.send': purchaseSendWrites,
  'purchase.end': purchaseEndWrite,
  'directory.put': directoryPutWrite,
  'webhook.put': webhookPutWrites,
  'webhook.change': webhookChangeWrite,
  'webhook.rotate': webhookRotateWrite,
  'webhook.delete': webhookDeleteWrites,
  'delivery.order': deliveryOrderWrite,
  'nonce.consume': nonceConsumeWrite,
  'refresh.put': refreshPutWrite,
  'refresh.consume': refreshConsumeWrite,
  'key.put': keyPutWrites,
  'key.revoke': keyRevokeWrites,
  'outbox.put': outboxPutWrite,
  'outbox.settle': outboxSettleWrite,
  'refund.mark': refundMarkWrite,
  'inbound.seen': seenWrite,
  'inbound.forget': forgetWrite,
  'wire.put': wirePutWrite,
  'suppression.put': suppressionPutWrite,
  'standing.sent': standingSentWrite,
  'standing.bounces': standingBouncesWrite,
  'upload.put': uploadPutWrite,
  'mail.expire': expireWrites,
  'digest.set': digestSetWrite,
  'digest.take': digestTakeWrite,
  'human.link': humanLinkWrites,
  'human.unlink': humanUnlinkWrites,
  'human.nonce': humanNonceWrite,
  'payment.redeem': paymentRedeemWrites,
  'payment.check': paymentCheckWrite,
  'payment.revoke': paymentRevokeWrites,
  'entitlement.spend': entitlementSpendWrite,
  'attention.configure': configureWrite,
  'whitelist.put': whitelistPutWrite,
  'whitelist.remove': whitelistRemoveWrite,
  'pair.count': pairCountWrite,
  'bond.put': bondPutWrites,
  'bond.end': bondEndWrites,
  'mail.bond': mailBondWrite,
  'mail.answer': answerWrite,
  'wave.claim': waveClaimWrites,
  'claim.commit': claimCommitWrite,
  'claim.drop': claimDropWrite,
};

const render = <K extends Change['kind']>(name: string, change: Extract<Change, { kind: K }>, all: readonly Change[]): Write[] =>
  [(RENDERERS[change.kind as K] as Renderer<K>)(name, change, all)].flat();

/** Every write of a list of changes: the changes' own in their order, then one update for each account. */
export const writesOf = (name: string, changes: readonly Change[]): Write[] => [
  ...changes.flatMap((change) => render(name, change, changes)),
  ...accountEffects(changes).flatMap((effect) => accountWrite(name, effect)),
];

export const openCommitter = (table: Table): Committer => ({
  commit: (changes) => transact(table, writesOf(table.name, changes)),
});
