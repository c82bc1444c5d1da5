// Fields of alias identities that deliver to the primary inbox.
import * as z from 'zod';
import { basename, basenameField, looseHandle, successField, unixSeconds } from './fields.ts';

export const Alias = z.looseObject({
  handle: z.string().describe('The alias.'),
  email: z.string().describe('Its address.'),
  basename: basenameField(),
  created_at: unixSeconds('When the alias was added.'),
});

export const ListAliasesReply = z.looseObject({
  primary_handle: z.string().describe('The main handle of the account.'),
  primary_email: z.string().describe('The main address of the account.'),
  aliases: z.array(Alias).describe('The aliases.'),
});

export const CreateAliasRequest = z
  .object({
    handle: z
      .string()
      .min(1)
      .max(255)
      .transform((text) => text.toLowerCase())
      .optional()
      .describe('The label of a name that the wallet owns.'),
    basename: basename().optional(),
  })
  .refine((alias) => alias.handle !== undefined || alias.basename !== undefined, { error: 'handle or basename is required' });

export const CreateAliasReply = z.looseObject({
  success: successField(),
  alias_email: z.string().describe('The address that now delivers to the primary inbox.'),
  basename: z.string().describe('The name behind the alias.'),
  primary_handle: z.string().describe('The main handle of the account.'),
});

export const AliasParams = z.object({ handle: looseHandle('The alias.') });
