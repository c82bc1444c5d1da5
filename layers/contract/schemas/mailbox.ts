// Fields of reading, marking and deleting mail.
import * as z from 'zod';
import {
  booleanQuery,
  cursorQuery,
  issueDetail,
  limitQuery,
  looseId,
  nextCursor,
  successField,
  unixSeconds,
  wholeNumberQuery,
} from './fields.ts';

/** `offset` reads everything it skips, so a deep one would make a single call read a whole mailbox. */
const OFFSET_MAX = 100_000;
const MARK_READ_IDS_MAX = 1000;

export const ListInboxQuery = z.object({
  folder: z
    .enum(['inbox', 'sent', 'quarantine'])
    .default('inbox')
    .describe('Which mail; `quarantine` holds mail that failed the virus scan.'),
  limit: limitQuery(20, 100),
  offset: wholeNumberQuery({ minimum: 0, maximum: OFFSET_MAX, hint: 'Page with cursor instead: give the next_cursor of the page before.' })
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      publishedDefault: 0,
      maximum: OFFSET_MAX,
      description: 'Rows to skip; every one of them is read, so prefer `cursor`.',
    }),
  cursor: cursorQuery(),
  bonded: booleanQuery('Only inbox mail with an active USDC bond: true, false, 1 or 0.'),
  sort: z.enum(['created_at', 'bond_amount', 'deadline']).default('created_at').describe('Sort key; with `bonded` only.'),
  order: z.enum(['asc', 'desc']).optional().describe('With `bonded` only: default `desc`, and `asc` for `sort=deadline`.'),
});

export const EmailAuth = z.looseObject({
  spf: z.string().describe('SPF verdict: `PASS`, `FAIL`, `GRAY` or `PROCESSING_FAILED`.'),
  dkim: z.string().describe('DKIM verdict.'),
  dmarc: z.string().describe('DMARC verdict.'),
  spam: z.string().describe('Spam verdict.'),
  virus: z.string().describe('Virus verdict.'),
  sender_verified: z.boolean().describe('Whether `from_addr` may be believed: DMARC passed.'),
});

const EmailFields = {
  id: z.string().describe('Id of the message; the same on both sides. Ids sort by time.'),
  folder: z.string().describe('`inbox`, `sent` or `quarantine`.'),
  from_addr: z.string().describe('Bare, lower-case address of the From header; without a usable one the envelope sender.'),
  from_name: z.string().nullable().describe('Display name of the From header, or null.'),
  to_addr: z.string().describe('The bare address written to.'),
  subject: z.string().describe('Subject line.'),
  snippet: z.string().describe('First 200 characters of the readable text.'),
  size: z.int().describe('Bytes of the MIME message.'),
  read: z.int().describe('0 = unread, 1 = read.'),
  created_at: unixSeconds('When the service got the message.'),
  has_attachments: z.boolean().optional().describe('Whether the message has attachments.'),
  bond_amount: z.number().nullable().describe('USDC bond on the message, or null.'),
  bond_status: z.string().nullable().describe('`active`, `refunded` or `forfeited`; null without a bond.'),
  bond_deadline: unixSeconds('Until when a reply refunds the bond; null without one.').nullable(),
  attn_stake: z.int().nullable().describe('ATTN that the sender staked, or null.'),
  attn_status: z.string().nullable().describe('`pending`, `refunded`, `transferred` or `expired`; null without a stake.'),
  attn_expires_at: unixSeconds('When an unread stake settles by itself; null without one.').nullable(),
  delivery: z
    .string()
    .nullable()
    .describe('External mail in `sent`: `queued`, `sent`, `delivered`, `bounced`, `complained` or `failed`; else null.'),
  auth: EmailAuth.nullable().describe(
    'What the receiving server found out about the sender; null for mail from inside, whose sender the service itself has proven, and for sent mail.',
  ),
};

export const EmailRow = z.looseObject(EmailFields);

export const AttachmentRow = z.looseObject({
  index: z.int().describe('Zero-based position; the index to fetch it by.'),
  filename: z.string().describe('File name, made safe to store.'),
  content_type: z.string().describe('MIME type.'),
  size: z.int().describe('Bytes.'),
  content_id: z.string().optional().describe('Content-ID of an inline part.'),
  sha256: z.string().describe('SHA-256 of the bytes, hexadecimal.'),
});

export const EmailDetail = z.looseObject({
  ...EmailFields,
  body: z.string().describe('The raw RFC 822 message text, up to 3 MB.'),
  body_truncated: z.boolean().optional().describe('True when `body` was cut; the whole is at `raw_url`.'),
  raw_url: z.string().optional().describe('Address of the whole message; present when `body` was cut.'),
  attachments: z.array(AttachmentRow).describe('Attachments; the position is the index to fetch one by.'),
  parse_error: z.string().optional().describe('Why the message could not be taken apart; the raw message is whole all the same.'),
});

export const ListInboxReply = z.looseObject({
  emails: z.array(EmailRow).describe('Staked unread mail first, then everything else, each newest first.'),
  total: z.int().describe('Messages in the folder.'),
  unread: z.int().describe('Unread messages in the folder.'),
  bonded_count: z.int().describe('Inbox messages with an active USDC bond.'),
  limit: z.int().describe('The limit served.'),
  offset: z.int().describe('The offset served.'),
  next_cursor: nextCursor(),
});

export const MarkReadRequest = z.object({
  ids: z
    .array(z.string().max(400))
    .max(MARK_READ_IDS_MAX)
    .optional()
    .describe(
      `Messages to mark, at most ${MARK_READ_IDS_MAX}; foreign and unknown ids are ignored. Without it the whole folder is marked.`,
    ),
  folder: z
    .enum(['inbox', 'sent'], { error: 'must be inbox or sent', ...issueDetail({ hint: 'Leave folder out for the inbox.' }) })
    .default('inbox')
    .describe('The folder to mark when no ids are given.'),
});

export const MarkReadReply = z.looseObject({
  success: successField(),
  folder: z.string().describe('The folder marked.'),
  unread: z.int().describe('Messages still unread when answering.'),
  pending: z.boolean().optional().describe('True while the rest of a large folder is marked in the background.'),
});

export const EmailParams = z.object({ id: looseId('Id of the message.') });
export const AttachmentParams = z.object({ id: looseId('Id of the message.'), index: looseId('Zero-based position of the attachment.') });

export const RejectEmailReply = z.looseObject({
  success: successField(),
  email_id: z.string().describe('The message.'),
  rejected: z.boolean().describe('Always true.'),
  attn_received: z.int().describe('ATTN that moved to you; 0 without a stake or at a full daily cap.'),
  note: z.string().describe('What happened to the stake, in words.'),
});
