// Fields of sending mail and of uploading large attachments.
import * as z from 'zod';
import { issueDetail, transactionHash, unixSeconds } from './fields.ts';

const ATTACHMENTS_MAX = 20;
const ATTACHMENT_BYTES_MAX = 10 * 1024 * 1024;
/** Above what the request body may hold at all; the byte limits proper are the middleware's and the use case's. */
const TEXT_CHARACTERS_MAX = 5 * 1024 * 1024;
/** RFC 5322 allows 998 characters in a line; a subject is one. */
const SUBJECT_CHARACTERS_MAX = 998;

/** Line breaks in a header value would let a caller write headers of his own. */
const headerValue = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((text) => !/[\r\n\0]/.test(text), { error: 'must be one line' });

const contentType = () =>
  z
    .string()
    .max(255)
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;[\x20-\x7e]*)?$/, 'must be a MIME type such as application/pdf');

/** Bytes come in groups of four characters, the last one filled up with one or two `=`, or left short without any. */
const groupFault = (dataLength: number, paddingLength: number): string | undefined => {
  if (dataLength % 4 === 1) return 'must be base64: it is cut off, its last group has one character and holds no byte';
  if (paddingLength === 0 || (paddingLength <= 2 && (dataLength + paddingLength) % 4 === 0)) return undefined;
  return 'must be base64: its padding does not fill up the last group of four characters';
};

/**
 * What is wrong with a base64 text; a decoder would cut it there and store a part of the file. White space is let through,
 * because `base64` tools wrap their lines. Searches for what must not be there take time in the length alone; one pattern
 * for the whole could be made to backtrack for minutes.
 */
const base64Fault = (wrapped: string): string | undefined => {
  const text = wrapped.replace(/\s/g, '');
  if (/[^A-Za-z0-9+/=]/.test(text)) return 'must be base64: letters, digits, + and / alone';
  const dataLength = text.includes('=') ? text.indexOf('=') : text.length;
  if (/=[^=]/.test(text)) return 'must be base64: = may only end it';
  return groupFault(dataLength, text.length - dataLength);
};

export const AttachmentInput = z
  .object({
    filename: headerValue(255).describe('File name to show.'),
    content_type: contentType()
      .optional()
      .describe('MIME type; default application/octet-stream, or what the upload named. Parameters such as charset and method are kept.'),
    data: z
      .string()
      .superRefine((text, context) => {
        const message = base64Fault(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .optional()
      .meta({ contentEncoding: 'base64', description: 'The bytes in base64, padded or not; for files that fit the request body of 5 MB.' }),
    upload_id: z.string().min(1).max(200).optional().describe('Instead of `data`: a finished upload of POST /api/uploads.'),
  })
  .refine((attachment) => (attachment.data === undefined) !== (attachment.upload_id === undefined), {
    error: 'must have either data or upload_id',
  });

export const SendEmailRequest = z.object({
  to: z.string().min(1).max(320).describe('Recipient address, one bare address.'),
  subject: z
    .string()
    .min(1)
    .max(SUBJECT_CHARACTERS_MAX)
    .describe('Subject line; a line break, a tab or another control character in it is 400.'),
  body: z
    .string()
    .min(1)
    .max(TEXT_CHARACTERS_MAX)
    .describe('Text of the message; Markdown (CommonMark) is rendered to sanitised HTML beside it.'),
  html: z
    .string()
    .max(TEXT_CHARACTERS_MAX)
    .optional()
    .describe('HTML part to use instead of the rendered one; it is sanitised. Blank: as if absent.'),
  in_reply_to: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe('Id of a message in your mailbox: threads the reply and resolves an active bond on it.'),
  from_handle: z
    .string()
    .min(1)
    .max(255)
    .transform((text) => text.toLowerCase())
    .optional()
    .describe('Send as another name that the wallet owns, checked on chain; it becomes an alias for the replies.'),
  attachments: z
    .array(AttachmentInput)
    .refine((list) => list.length <= ATTACHMENTS_MAX, {
      error: `must be at most ${ATTACHMENTS_MAX}`,
      ...issueDetail({ code: 'payload_too_large', hint: `Send at most ${ATTACHMENTS_MAX} attachments in one message.` }),
    })
    .meta({ maxItems: ATTACHMENTS_MAX, description: `At most ${ATTACHMENTS_MAX}, each at most 10 MB.` })
    .optional(),
  usdc_payment: z
    .object({
      tx_hash: transactionHash(),
      amount: z
        .string()
        .regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'must be a decimal string with at most 6 decimals')
        .describe('USDC paid, as a decimal string with up to 6 decimals.'),
    })
    .optional()
    .describe("A USDC transfer on chain 84532 from your wallet to the recipient account's wallet, verified on chain; a hash works once."),
});

export const SendEmailReply = z.looseObject({
  success: z.boolean().describe('Always true; a failure is an error reply.'),
  email_id: z.string().describe("Id of the message: yours in `sent`, the recipient's in `inbox`."),
  from: z.string().describe('The address it was sent from.'),
  from_alias: z.string().optional().describe('With `from_handle`: the alias address.'),
  primary_handle: z.string().optional().describe('With `from_handle`: the main handle of the account.'),
  to: z.string().describe('The recipient address.'),
  subject: z.string().describe('The subject as sent; lists show its first 200 characters.'),
  internal: z.boolean().describe('Whether the recipient is an address of this service.'),
  attachments: z.int().describe('Number of attachments.'),
  delivery: z.string().optional().describe('External mail: `sent`, or `queued` when the provider has not confirmed yet.'),
  credits: z.int().optional().describe('External mail: credits left.'),
  attn: z
    .looseObject({
      staked: z.boolean().describe('Whether ATTN was staked.'),
      amount: z.int().describe('ATTN staked.'),
      reason: z.string().nullable().describe('Why this amount, or why nothing was staked.'),
      balance_after: z.int().describe('Your ATTN after the send.'),
    })
    .optional()
    .describe('Internal mail: what was staked on it.'),
  usdc_payment: z
    .looseObject({
      verified: z.boolean().describe('Always true; an unverifiable payment is 400.'),
      amount: z.string().describe('USDC found on chain, as a decimal string.'),
      tx_hash: z.string().describe('The transaction.'),
      network: z.string().describe('`base-sepolia`.'),
    })
    .optional()
    .describe('The verified payment, when one was given.'),
});

export const CreateUploadRequest = z.object({
  filename: headerValue(255).describe('File name to show.'),
  content_type: contentType().describe('MIME type; parameters such as charset are kept.'),
  size: z
    .int()
    .min(1)
    .refine((bytes) => bytes <= ATTACHMENT_BYTES_MAX, {
      error: `must be at most ${ATTACHMENT_BYTES_MAX} bytes`,
      ...issueDetail({ code: 'attachment_too_large' }),
    })
    .meta({ maximum: ATTACHMENT_BYTES_MAX, description: 'Exact size in bytes, at most 10 MB.' }),
});

export const CreateUploadReply = z.looseObject({
  upload_id: z.string().describe('Name it in `attachments` of POST /api/send.'),
  url: z.string().describe('Where to send the bytes.'),
  method: z.string().describe('HTTP method to send them with.'),
  headers: z.record(z.string(), z.string()).describe('Headers to send with them, exactly.'),
  expires_at: unixSeconds('Until when the upload may be made and used.'),
});
