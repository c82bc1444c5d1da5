// Fields of registering a mailbox and of the names it may carry.
import * as z from 'zod';
import {
  basename,
  basenameField,
  emailField,
  handleField,
  issueDetail,
  nameLabel,
  sourceField,
  successField,
  tokenField,
  unitsText,
  unixSeconds,
  walletAddress,
  walletField,
} from './fields.ts';

const NameChoice = {
  basename: basename().optional(),
  auto_basename: z.boolean().optional().describe('Have the service buy `basename_name` for the wallet and pay for it.'),
  basename_name: z
    .string()
    .refine((text) => /^[a-z0-9-]{3,32}$/.test(text), {
      error: 'must have 3 to 32 characters of a-z, 0-9 and -',
      ...issueDetail({ code: 'invalid_name' }),
    })
    .optional()
    .meta({ pattern: '^[a-z0-9-]{3,32}$', description: 'The label to buy, without .base.eth; needed with `auto_basename`.' }),
};

const namesWhatToBuy = (choice: { auto_basename?: boolean | undefined; basename_name?: string | undefined }): boolean =>
  choice.auto_basename !== true || choice.basename_name !== undefined;

const NAME_MISSING = { error: 'is required with auto_basename', path: ['basename_name'], ...issueDetail({ code: 'invalid_name' }) };

export const RegisterEmailRequest = z.object(NameChoice).refine(namesWhatToBuy, NAME_MISSING);
export const UpgradeHandleRequest = z.object(NameChoice).refine(namesWhatToBuy, NAME_MISSING);

export const RegisterEmailReply = z.looseObject({
  success: successField(),
  email: emailField(),
  handle: handleField(),
  wallet: walletField(),
  basename: basenameField(),
  source: sourceField(),
  token: tokenField(),
  refresh_token: z.string().optional().describe('Refresh token, when one was issued with the token.'),
  tier: z.string().optional().describe('`free` or `pro`.'),
  pending_emails: z.int().optional().describe('Messages that waited in the mailbox for this registration.'),
  upgrade_hint: z.string().optional().describe('How to get a name handle; present for a 0x handle.'),
});

export const AliasAddedReply = z.looseObject({
  success: successField(),
  action: z.string().describe('`alias_added`.'),
  primary_email: z.string().describe('The main address of the account, unchanged.'),
  alias_email: z.string().describe('The address that now delivers to the same inbox.'),
  basename: z.string().describe('The name behind the alias.'),
});

export const UpgradeHandleReply = z.looseObject({
  success: successField(),
  email: emailField(),
  handle: handleField(),
  old_handle: z.string().describe('The 0x handle before; it keeps delivering to the same inbox.'),
  basename: basenameField(),
  token: tokenField(),
  migrated_emails: z.int().describe('Messages, received and sent, that the new handle finds in the mailbox.'),
});

export const CheckRegistrationParams = z.object({
  query: z.string().min(1).max(320).describe('A wallet address, or a name with or without .base.eth.'),
});

export const PriceInfo = z.looseObject({
  available: z.boolean().describe('Whether the name can be bought.'),
  price_wei: unitsText('Price of one year in wei, as a decimal string.'),
  price_eth: unitsText('The same price in ETH, as a decimal string.'),
  duration_years: z.int().describe('The period of the price in years.'),
  registrar: z.string().describe('Address of the registrar contract.'),
  chain_id: z.int().describe('Chain of the registrar.'),
  buy_url: z.string().describe('Where the transaction data to buy it is found.'),
});

/** One reply for both forms of the question: a wallet brings the first group of fields, a name the second. */
export const CheckRegistrationReply = z.looseObject({
  handle: handleField(),
  email: emailField(),
  basename: basenameField(),
  source: sourceField(),
  registered: z.boolean().describe('Whether an account holds this wallet or name.'),
  wallet: z.string().optional().describe('For a wallet: the address, lower-case.'),
  has_basename_nft: z.boolean().optional().describe('For a wallet: whether it was seen to own a name.'),
  next_steps: z.array(z.string()).optional().describe('For an unregistered wallet: what to do to get a mailbox.'),
  available_basemail: z.boolean().optional().describe('For a name: whether it is free as a handle here.'),
  available_onchain: z
    .boolean()
    .nullable()
    .optional()
    .describe('For a name: whether the registrar sells it; null when the chain did not answer.'),
  status: z.string().optional().describe('For a name: `available`, `taken`, `reserved` or `unknown`; for a wallet only `unknown`.'),
  price_info: PriceInfo.nullable().optional().describe('For a name: its price; null when the chain did not answer.'),
  note: z.string().optional().describe('Why the name cannot be had, or the status is unknown.'),
});

export const NameParams = z.object({ name: nameLabel() });

export const GetNamePriceReply = z.looseObject({
  name: z.string().describe('The label.'),
  basename: z.string().describe('The full name.'),
  available: z.boolean().describe('Whether the registrar sells it now; a name in its 90-day grace period is taken.'),
  price_wei: unitsText('Price of one year in wei, as a decimal string; present when available.').optional(),
  price_eth: unitsText('The same price in ETH, as a decimal string.').optional(),
});

export const GetNameBuyDataQuery = z.object({ owner: walletAddress().describe('The wallet that will own the name.') });

export const GetNameBuyDataReply = z.looseObject({
  name: z.string().describe('The label.'),
  basename: z.string().describe('The full name.'),
  owner: walletField(),
  available: z.boolean().describe('Always true; a taken name is 409.'),
  price_wei: unitsText('Price of one year in wei, as a decimal string.'),
  price_eth: unitsText('The same price in ETH, as a decimal string.'),
  chain_id: z.int().describe('Chain to send the transaction on.'),
  registrar: z.string().describe('Address of the registrar contract.'),
  to: z.string().describe('Send the transaction to this address as it is.'),
  data: z.string().describe('Call data of the transaction, hexadecimal.'),
  value: unitsText('Value of the transaction in wei, with a buffer of 10 %; the registrar returns what is over.'),
  duration_seconds: unitsText('The period bought, in seconds.'),
  args: z.looseObject({}).describe('The arguments of register(), integers as decimal strings.'),
});

export const ListBasenamesParams = z.object({ address: walletAddress().describe('A wallet address.') });

export const OwnedBasename = z.looseObject({
  name: z.string().describe('The full name.'),
  handle: z.string().describe('Its label, as a handle.'),
  expires_at: unixSeconds('When the name expires on chain; null when not known.').nullable(),
  source: z.string().describe('How the name was found, such as `onchain` or `alias`.'),
});

export const ListBasenamesReply = z.looseObject({
  address: walletField(),
  basenames: z.array(OwnedBasename).describe('Names that the wallet owns.'),
});
