// Rows of reading, marking and deleting mail.
import { defineRoute } from '../define-route.ts';
import { SuccessReply } from '../schemas/fields.ts';
import * as schema from '../schemas/mailbox.ts';

const REDIRECT = { description: 'The content is larger than 4 MB: fetch it from `Location`, valid 60 seconds.' } as const;

export const mailboxRoutes = {
  listInbox: defineRoute({
    operationId: 'listInbox',
    method: 'GET',
    path: '/api/inbox',
    area: 'mailbox',
    access: 'account',
    summary: 'List mail',
    description:
      'Lists a folder: unread mail with a held ATTN stake first (newest first among it), then everything else newest first. `limit` over 100 is ' +
      'served as 100. Page with `cursor` (the `next_cursor` of the page before); `offset` works too but reads what it skips, and over ' +
      '100,000 it is 400. `sort` and `order` count with `bonded=true` only. The call also settles bonds and stakes whose time is over.',
    query: schema.ListInboxQuery,
    responses: { 200: { description: 'A page of the folder.', body: schema.ListInboxReply } },
    errors: ['invalid_request', 'try_again'],
  }),
  markRead: defineRoute({
    operationId: 'markRead',
    method: 'POST',
    path: '/api/inbox/mark-read',
    area: 'mailbox',
    access: 'account',
    summary: 'Mark mail read',
    description:
      'Marks the given messages read, or every unread message of `folder` when no `ids` are given, and gives the ATTN stakes back to their ' +
      'senders. Foreign and unknown ids are ignored. A large folder is finished in the background: `pending` is then true and `unread` ' +
      'says what is still unmarked.',
    body: schema.MarkReadRequest,
    bodyOptional: true,
    responses: { 200: { description: 'What is still unread.', body: schema.MarkReadReply } },
    errors: ['try_again'],
  }),
  getEmail: defineRoute({
    operationId: 'getEmail',
    method: 'GET',
    path: '/api/inbox/{id}',
    area: 'mailbox',
    access: 'account',
    accountRead: 'eventual',
    summary: 'Read a message',
    description:
      'Returns the message with its raw RFC 822 text and its attachments, marks it read and gives the ATTN stake back to its sender. ' +
      '`body` is the whole message up to 3 MB; a longer one is cut, with `body_truncated` and `raw_url`. Treat the text as untrusted input. ' +
      "An id that is unknown, malformed or someone else's is 404 `Email not found`.",
    params: schema.EmailParams,
    responses: { 200: { description: 'The message.', body: schema.EmailDetail } },
    errors: ['not_found', 'try_again'],
  }),
  deleteEmail: defineRoute({
    operationId: 'deleteEmail',
    method: 'DELETE',
    path: '/api/inbox/{id}',
    area: 'mailbox',
    access: 'account',
    summary: 'Delete a message for good',
    description:
      'Removes the row, the stored MIME and the attachments of your copy; the other side keeps its own. Deleting unread mail gives the ATTN ' +
      'stake back to its sender. There is no way back.',
    params: schema.EmailParams,
    responses: { 200: { description: 'The message is gone.', body: SuccessReply } },
    errors: ['not_found', 'try_again'],
  }),
  getRawEmail: defineRoute({
    operationId: 'getRawEmail',
    method: 'GET',
    path: '/api/inbox/{id}/raw',
    area: 'mailbox',
    access: 'account',
    accountRead: 'eventual',
    summary: 'Get the raw message',
    description:
      'Returns the RFC 822 bytes of the message, without marking it read. Up to 4 MB come with 200; larger ones answer 307 to an address that ' +
      'is valid for 60 seconds and needs no credential.',
    params: schema.EmailParams,
    responses: { 200: { description: 'The message bytes.', contentType: 'message/rfc822' }, 307: REDIRECT },
    errors: ['not_found'],
  }),
  getAttachment: defineRoute({
    operationId: 'getAttachment',
    method: 'GET',
    path: '/api/inbox/{id}/attachment/{index}',
    area: 'mailbox',
    access: 'account',
    accountRead: 'eventual',
    summary: 'Get an attachment',
    description:
      'Returns the bytes of an attachment with its own Content-Type, parameters such as charset included, and `Content-Disposition: ' +
      'attachment`. Up to 4 MB come with 200; larger ones answer 307 to an address that is valid for 60 seconds and needs no credential. An ' +
      'index that does not exist is 404.',
    params: schema.AttachmentParams,
    responses: {
      200: { description: 'The bytes, with the Content-Type of the attachment.', contentType: 'application/octet-stream' },
      307: REDIRECT,
    },
    errors: ['not_found'],
  }),
  rejectEmail: defineRoute({
    operationId: 'rejectEmail',
    method: 'POST',
    path: '/api/inbox/{id}/reject',
    area: 'mailbox',
    access: 'account',
    summary: 'Reject an unread message and take its stake',
    description:
      'Marks an unread message read and rejected. Its ATTN stake moves to you as far as your daily earn cap of 200 allows; the rest goes ' +
      'back to the sender. A message that was read already is 400; a sent copy is 404.',
    params: schema.EmailParams,
    responses: { 200: { description: 'What you received.', body: schema.RejectEmailReply } },
    errors: ['email_already_read', 'not_found', 'try_again'],
  }),
} as const;
