// Fields of sign-in, tokens and API keys.
import * as z from 'zod';
import {
  basename,
  basenameField,
  emailField,
  handleField,
  sourceField,
  tierField,
  tokenField,
  unixSeconds,
  walletAddress,
  walletField,
} from './fields.ts';

/** A contract wallet's ERC-6492 signature wraps its own deployment, so it is far longer than the 132 characters of an EOA's. */
const SIGNATURE_CHARACTERS_MAX = 20_000;
/** Parsing a sign-in text costs time in its length; issued texts have about 400 characters. */
const MESSAGE_CHARACTERS_MAX = 4096;

const signInAddress = () => walletAddress().describe('The wallet that signs in: 0x and 40 hexadecimal digits, any case.');

const SignedMessage = {
  address: signInAddress(),
  signature: z
    .string()
    .max(SIGNATURE_CHARACTERS_MAX)
    .regex(/^0[xX](?:[0-9a-fA-F]{2})+$/, 'must be 0x-prefixed hexadecimal')
    .describe('0x-prefixed hexadecimal EIP-191 personal_sign signature over `message`; contract wallets sign by ERC-1271 or ERC-6492.'),
  message: z.string().min(1).max(MESSAGE_CHARACTERS_MAX).describe('The text from POST /api/auth/start, unchanged.'),
};

export const AuthStartRequest = z.object({ address: signInAddress() });

export const AuthStartReply = z.looseObject({
  nonce: z.string().describe('Single-use nonce inside the message, valid 300 seconds.'),
  message: z.string().describe('The EIP-4361 text to sign verbatim with personal_sign.'),
});

export const AuthAgentRegisterRequest = z.object({ ...SignedMessage, basename: basename().optional() });

export const AuthAgentRegisterReply = z.looseObject({
  token: tokenField(),
  refresh_token: z.string().describe('Prefix `rt_`; exchange it at POST /api/auth/refresh within 60 days.'),
  email: emailField(),
  handle: handleField(),
  wallet: walletField(),
  basename: basenameField(),
  tier: tierField(),
  registered: z.boolean().describe('Always true: the wallet has an account now.'),
  new_account: z.boolean().describe('Whether this call made the account.'),
  source: sourceField(),
  pending_emails: z.int().optional().describe('Messages that waited in the mailbox of a new account.'),
  upgrade_hint: z.string().optional().describe('How to get a name handle; present for a 0x handle.'),
});

export const AuthVerifyRequest = z.object(SignedMessage);

export const AuthVerifyReply = z.looseObject({
  token: tokenField(),
  refresh_token: z.string().optional().describe('Present for a registered wallet.'),
  wallet: walletField(),
  registered: z.boolean().describe('Whether the wallet has an account.'),
  handle: z.string().describe('The handle of the account; empty when the wallet is not registered.'),
  basename: basenameField(),
  tier: tierField().nullable(),
  suggested_handle: z.string().describe('The handle that POST /api/register would give.'),
  suggested_email: z.string().describe('The address that POST /api/register would give.'),
  suggested_source: sourceField(),
  upgrade_available: z.boolean().describe('Whether a registered 0x handle could become a name handle now.'),
  has_basename_nft: z.boolean().describe('Whether the wallet was seen to own a name.'),
});

export const AuthRefreshRequest = z.object({
  refresh_token: z.string().min(1).max(200).describe('A refresh token, prefix `rt_`.'),
  rotate: z.boolean().optional().describe('Also replace the refresh token; the old one stops working at once.'),
});

export const AuthRefreshReply = z.looseObject({
  token: tokenField(),
  refresh_token: z.string().optional().describe('The new refresh token; present when `rotate` is true.'),
});

export const AuthNonceReply = z.looseObject({ nonce: z.string().describe('Single-use nonce, valid 300 seconds.') });

export const AuthMessageRequest = z.object({
  address: signInAddress(),
  nonce: z.string().min(1).max(200).describe('A nonce from GET /api/auth/nonce.'),
});

export const AuthMessageReply = z.looseObject({ message: z.string().describe('The EIP-4361 text to sign verbatim.') });

export const CreateApiKeyRequest = z.object({
  name: z.string().min(1).max(100).optional().describe('A name to know the key by.'),
});

export const CreateApiKeyReply = z.looseObject({
  api_key: z.string().describe('The key, prefix `bm_live_`; shown only in this reply.'),
  id: z.string().describe('The id to revoke it by.'),
  name: z.string().nullable().describe('The name given, or null.'),
  created_at: unixSeconds('When the key was made.'),
});

export const ApiKeyRow = z.looseObject({
  id: z.string().describe('The id of the key.'),
  name: z.string().nullable().describe('The name given, or null.'),
  prefix: z.string().describe('The first characters of the key.'),
  created_at: unixSeconds('When the key was made.'),
  last_used_at: unixSeconds('When the key was last used, to the minute or so; null when never.').nullable(),
  revoked_at: unixSeconds('When the key was revoked (it stays listed for 90 days); null while it works.').nullable(),
});

export const ListApiKeysReply = z.looseObject({ keys: z.array(ApiKeyRow).describe('All keys of the account, newest first.') });

export const RevokeApiKeyRequest = z.object({ id: z.string().min(1).max(200).describe('The id of the key.') });
