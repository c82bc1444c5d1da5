// Ids that sort by time: 10 characters of milliseconds and 16 of randomness in Crockford's base 32 (the ULID layout, lower-case).

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;
const ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

const encodeTime = (milliseconds: number): string => {
  let rest = milliseconds;
  let text = '';
  for (let i = 0; i < TIME_CHARACTERS; i += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

const encodeBytes = (bytes: Uint8Array): string => {
  let text = '';
  for (let i = 0; i < RANDOM_CHARACTERS; i += 1) text += ALPHABET.charAt((bytes[i] ?? 0) & 31);
  return text;
};

/** Makes an id from a moment and at least 16 bytes: random ones, or a hash where a retry must give the same id. */
export const timeId = (milliseconds: number, bytes: Uint8Array): string => encodeTime(milliseconds) + encodeBytes(bytes);

/** The last id that a moment can have: everything made before it sorts below. */
export const lastIdAt = (milliseconds: number): string => timeId(milliseconds, new Uint8Array(RANDOM_CHARACTERS).fill(31));

/** The milliseconds that an id carries. */
export const timeOf = (id: string): number => {
  let milliseconds = 0;
  for (const character of id.slice(0, TIME_CHARACTERS)) milliseconds = milliseconds * 32 + ALPHABET.indexOf(character);
  return milliseconds;
};

/** The Unix second in which an id was made. */
export const secondsOf = (id: string): number => Math.floor(timeOf(id) / 1000);

export const isTimeId = (text: string): boolean => ID.test(text);

/** Source of ids and secrets; random in the service, seeded in simulations. */
export interface Ids {
  /**
   * A fresh id for a moment in Unix seconds, with the millisecond of the call; it sorts after the id `after`. What may
   * happen but once needs a condition of its own: a second call gives a second id.
   */
  next(nowSeconds: number, after?: string): string;
  /**
   * The same id for the same cause and moment, however often it is asked. It sorts after the id `after`, so that what
   * follows from something within its second also stands behind it.
   */
  derived(nowSeconds: number, cause: string, after?: string): string;
  /** The same id for the same cause and millisecond, where the order within a second is known. */
  derivedAtMs(nowMs: number, cause: string): string;
  /** `length` random alphanumerics, for nonces and keys. */
  token(length: number): string;
}

const SENT_TO_SELF_SUFFIX = '-sent';

/** Mail to oneself gives two rows in one mailbox; the sent copy's id is told apart by this suffix (decisions, "Mail"). */
export const sentCopyId = (emailId: string): string => `${emailId}${SENT_TO_SELF_SUFFIX}`;

/** Whether a text can be the id of a mail row at all; anything else is an unknown id. */
export const isEmailId = (text: string): boolean =>
  isTimeId(text) || (text.endsWith(SENT_TO_SELF_SUFFIX) && isTimeId(text.slice(0, -SENT_TO_SELF_SUFFIX.length)));
