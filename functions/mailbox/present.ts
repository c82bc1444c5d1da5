// How mail reads on the wire.
import type { Account } from '#domain/identity/account.ts';
import type { Rejection } from '#domain/mail/reject-mail.ts';
import { type Attachment, type Folder, isSenderVerified, type MailRow } from '#domain/mail/mail.ts';
import type { MailPage } from '#domain/ports/stores.ts';

const MICROS_PER_USDC = 1_000_000;

const authBody = (row: MailRow) => (row.verdicts ? { ...row.verdicts, sender_verified: isSenderVerified(row) } : null);

export const emailRow = (row: MailRow) => ({
  id: row.id,
  folder: row.folder,
  from_addr: row.fromAddress,
  from_name: row.fromName ?? null,
  to_addr: row.toAddress,
  subject: row.subject,
  snippet: row.snippet,
  size: row.sizeBytes,
  read: row.isRead ? 1 : 0,
  created_at: row.createdAt,
  has_attachments: row.attachmentCount > 0,
  bond_amount: row.bond ? Number(row.bond.amountMicros) / MICROS_PER_USDC : null,
  bond_status: row.bond?.status ?? null,
  bond_deadline: row.bond?.deadline ?? null,
  attn_stake: row.stake ? Number(row.stake.amount) : null,
  attn_status: row.stake?.status ?? null,
  attn_expires_at: row.stake?.expiresAt ?? null,
  delivery: row.delivery ?? null,
  auth: authBody(row),
});

interface ListedPage {
  readonly page: MailPage;
  readonly owner: Account;
  readonly total: number;
}

/** A page of a folder with the figures beside it. */
export const pageBody = ({ page, owner, total }: ListedPage, query: { folder: Folder; limit: number; offset: number }) => ({
  emails: page.rows.map(emailRow),
  total,
  unread: query.folder === 'inbox' ? owner.mail.unread : 0,
  bonded_count: owner.mail.bonded,
  limit: query.limit,
  offset: query.offset,
  next_cursor: page.nextCursor ?? null,
});

const attachmentRow = (attachment: Attachment) => ({
  index: attachment.index,
  filename: attachment.filename,
  content_type: attachment.contentType,
  size: attachment.sizeBytes,
  sha256: attachment.sha256,
  ...(attachment.contentId !== undefined && { content_id: attachment.contentId }),
});

/** More of a message than this does not belong into a JSON reply; the rest is at `raw_url`. */
export const BODY_BYTES_MAX = 3 * 1024 * 1024;

export const emailDetail = (row: MailRow, attachments: readonly Attachment[], raw: Uint8Array, baseUrl: string) => {
  const isCut = row.sizeBytes > BODY_BYTES_MAX;
  return {
    ...emailRow(row),
    body: Buffer.from(raw.subarray(0, BODY_BYTES_MAX)).toString('utf8'),
    attachments: attachments.map(attachmentRow),
    ...(isCut && { body_truncated: true, raw_url: `${baseUrl}/api/inbox/${row.id}/raw` }),
    ...(row.parseError !== undefined && { parse_error: row.parseError }),
  };
};

const rejectionNote = ({ received, refunded }: Rejection): string => {
  if (received + refunded === 0n) return 'The message held no stake.';
  if (refunded === 0n) return `You received the stake of ${received} ATTN.`;
  return `You received ${received} ATTN; ${refunded} ATTN went back to the sender, because your daily earn cap is reached.`;
};

export const rejectionBody = (rejection: Rejection) => ({
  success: true,
  email_id: rejection.row.id,
  rejected: true,
  attn_received: Number(rejection.received),
  note: rejectionNote(rejection),
});
