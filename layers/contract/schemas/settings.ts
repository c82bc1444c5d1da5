// Fields of the account's own settings.
import * as z from 'zod';
import { basenameField, emailField, handleField, successField, tokenField } from './fields.ts';

export const SettingsReply = z.looseObject({
  notification_email: z
    .string()
    .nullable()
    .describe('Where a daily digest of unread mail goes; null switches it off, which is the default.'),
});

export const UpdateSettingsRequest = z.object({
  notification_email: z
    .email({ error: 'must be an email address, or null' })
    .max(320)
    .nullable()
    .optional()
    .describe('Where a daily digest of unread mail goes; null switches it off.'),
});

export const SwitchPrimaryHandleRequest = z.object({
  handle: z
    .string()
    .min(1)
    .max(255)
    .transform((text) => text.toLowerCase())
    .describe('An alias of the account; it becomes the primary handle.'),
});

export const SwitchPrimaryHandleReply = z.looseObject({
  success: successField(),
  handle: handleField(),
  email: emailField(),
  old_handle: z.string().describe('The primary handle before; it stays as an alias.'),
  basename: basenameField(),
  token: tokenField(),
});
