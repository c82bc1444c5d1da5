// The small schemas that several areas share: how query text becomes numbers, how addresses are read, how replies name common things.
import * as z from 'zod';
import type { Wallet } from '#domain/values/wallet.ts';
import type { ErrorCode } from '#domain/errors.ts';

/** What a refused value may tell validate.ts beyond its sentence: another error code than `invalid_request`, and a hint. */
export interface IssueDetail {
  readonly code?: ErrorCode;
  readonly hint?: string;
}

/** Marks an issue so that the reply carries this code and hint. */
export const issueDetail = (detail: IssueDetail): { params: Record<string, unknown> } => ({ params: { ...detail } });

interface WholeNumberRule {
  readonly minimum: number;
  /** A larger value is read as this one. */
  readonly servedMaximum?: number;
  /** A larger value is refused. */
  readonly maximum?: number;
  readonly hint?: string;
}

/**
 * Reads a whole number from query text. `1.5`, `abc`, an empty text and anything under the minimum are refused:
 * a silent default would page an agent through the same rows for ever.
 */
export const wholeNumberQuery = (rule: WholeNumberRule) =>
  z.string().transform((text, context) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    const top = rule.maximum ?? Number.MAX_SAFE_INTEGER;
    if (value >= rule.minimum && (rule.servedMaximum !== undefined || value <= top)) {
      return Math.min(value, rule.servedMaximum ?? top);
    }
    const range = rule.maximum === undefined ? `of at least ${rule.minimum}` : `from ${rule.minimum} to ${rule.maximum}`;
    const detail = rule.hint === undefined ? {} : issueDetail({ hint: rule.hint });
    context.addIssue({ code: 'custom', message: `must be a whole number ${range}`, ...detail });
    return z.NEVER;
  });

/** How many rows a list serves by default and at most, as its query parameter `limit`. */
export const limitQuery = (defaultRows: number, maximumRows: number) =>
  wholeNumberQuery({ minimum: 1, servedMaximum: maximumRows })
    .default(defaultRows)
    .meta({
      type: 'integer',
      minimum: 1,
      publishedDefault: defaultRows,
      description: `Number of rows to return; more than ${maximumRows} is served as ${maximumRows}. Under 1 or not an integer is 400.`,
    });

const BOOLEAN_TEXTS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Reads `true`, `false`, `1` or `0` from query text; absent means false. */
export const booleanQuery = (description: string) =>
  z
    .string()
    .transform((text, context) => {
      const value = Object.hasOwn(BOOLEAN_TEXTS, text) ? BOOLEAN_TEXTS[text] : undefined;
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: 'must be true, false, 1 or 0' });
      return z.NEVER;
    })
    .default(false)
    .meta({ type: 'boolean', publishedDefault: false, description });

/** Where the next page begins; opaque to callers. */
export const cursorQuery = () =>
  z.string().min(1).max(1024).optional().describe('The next_cursor of the page before; costs the page alone at any depth.');

export const nextCursor = () => z.string().nullable().describe('Give it as cursor to get the next page; null on the last page.');

const WALLET_ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;

/** A wallet address in any case; comes out lower-case, the form in which wallets are stored. */
export const walletAddress = () =>
  z
    .string()
    .regex(WALLET_ADDRESS, 'must be an address: 0x followed by 40 hexadecimal digits')
    .transform((text) => text.toLowerCase() as Wallet);

/** Handles have at most the 255 characters of a name. */
const HANDLE_CHARACTERS_MAX = 300;
/** Ids have 26 characters, some with a word around them; two of them stand in one sort key, which ends at 1,024 bytes. */
const ID_CHARACTERS_MAX = 100;
/** No id and no handle. */
const NOTHING = '-';

/** Keeps what is too long for anything here out of keys: it is looked up as a text that names nothing. */
const boundedTo = (charactersMax: number) => (text: string) => (text.length > charactersMax ? NOTHING : text);

/** A handle, address or name in a path: anything is looked up, so what cannot exist is simply not found. */
export const looseHandle = (description: string) =>
  z
    .string()
    .transform((text) => boundedTo(HANDLE_CHARACTERS_MAX)(text.toLowerCase()))
    .describe(description);

/** An id in a path: a malformed one is an unknown one, never a 400 that would tell the two apart. */
export const looseId = (description: string) => z.string().transform(boundedTo(ID_CHARACTERS_MAX)).describe(description);

/**
 * A transaction hash. Only its size is judged here: its shape is checked by the use case, which answers
 * `invalid_transaction_hash`.
 */
export const transactionHash = () => z.string().min(1).max(200).describe('The transaction hash: 0x and 64 hexadecimal digits.');

/** A name label that the registrar may know: the interface's pattern, 3 to 32 characters. */
export const nameLabel = () =>
  z
    .string()
    .refine((text) => /^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$/.test(text), {
      error: 'must have 3 to 32 characters and match ^[a-z0-9][a-z0-9_-]*[a-z0-9]$',
      ...issueDetail({ code: 'invalid_name' }),
    })
    .meta({ pattern: '^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$', description: 'The name without .base.eth.' });

/** A full name `<label>.base.eth`; comes out lower-case. */
export const basename = () =>
  z
    .string()
    .max(255)
    .transform((text) => text.toLowerCase())
    .refine((text) => /^[^\s.@]{3,}\.base\.eth$/.test(text), {
      error: 'must be a name such as alice.base.eth',
      ...issueDetail({ code: 'invalid_name' }),
    })
    .describe('A name `<label>.base.eth` that the wallet owns.');

/** A chain amount in its smallest unit, as a decimal text: such amounts do not fit a JSON number. */
export const unitsText = (description: string) => z.string().describe(description);

export const unixSeconds = (description: string) => z.int().describe(`${description} Unix seconds.`);

export const handleField = () => z.string().describe('Lower-case name label or lower-case 0x address.');
export const emailField = () => z.string().describe('The mailbox address, `<handle>@{mail_domain}`.');
export const walletField = () => z.string().describe('Wallet address, 0x and 40 lower-case hexadecimal digits.');
export const basenameField = () => z.string().nullable().describe('The name `<label>.base.eth` behind the handle; null for a 0x handle.');
export const sourceField = () => z.string().describe('How the handle was derived: `basename` or `address`.');
export const tierField = () => z.string().describe('`free` or `pro`.');
export const tokenField = () => z.string().describe('Session token (JWT), valid 24 hours. Send it as `Authorization: Bearer <token>`.');
export const successField = () => z.boolean().describe('Always true; a failure is an error reply.');

/** The reply of operations that have nothing to tell but that they are done. */
export const SuccessReply = z.looseObject({ success: successField() });
