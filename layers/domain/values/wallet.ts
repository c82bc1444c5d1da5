// Wallets and handles: the two names of an agent. A wallet is the identity, a handle merely points to it.

/** An EVM address, 0x + 40 lower-case hex digits. */
export type Wallet = `0x${string}`;

const WALLET = /^0x[0-9a-f]{40}$/;

/** Reads an address of any case; the checksum is not enforced, because the interface is case-insensitive. */
export const parseWallet = (text: string): Wallet | undefined => {
  const lower = text.toLowerCase();
  return WALLET.test(lower) ? (lower as Wallet) : undefined;
};

export const isWallet = (text: string): text is Wallet => WALLET.test(text);

/**
 * Names that are never given out: RFC 2142 mailboxes and the names people trust as the service itself.
 * Without this list the first agent to buy `support.base.eth` could write to everyone as support.
 */
const RESERVED_HANDLES: ReadonlySet<string> = new Set([
  'abuse',
  'admin',
  'administrator',
  'billing',
  'bounce',
  'bounces',
  'contact',
  'daemon',
  'devnull',
  'dns',
  'ftp',
  'help',
  'hostmaster',
  'info',
  'legal',
  'list',
  'mail',
  'mailer-daemon',
  'marketing',
  'news',
  'no-reply',
  'nobody',
  'noc',
  'noreply',
  'null',
  'official',
  'payments',
  'postmaster',
  'press',
  'privacy',
  'root',
  'sales',
  'security',
  'service',
  'smtp',
  'ssl',
  'staff',
  'status',
  'support',
  'system',
  'team',
  'usenet',
  'uucp',
  'webmaster',
  'www',
]);

export const isReservedHandle = (handle: string): boolean => RESERVED_HANDLES.has(handle);

/** Mailboxes that belong to the operator (RFC 2142): accepted and forwarded. */
export const isOperatorMailbox = (localPart: string): boolean => localPart === 'postmaster' || localPart === 'abuse';
