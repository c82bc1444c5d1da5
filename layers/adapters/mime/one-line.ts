// Characters that may not stand in a header value, and the two ways to treat them: refuse ours, clean theirs.

/**
 * C0, DEL, C1 and the Unicode line and paragraph separators. Only CR and LF end a header line by the standard,
 * but readers exist that break lines at each of the others.
 */
const LINE_BREAKING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const EVERY_LINE_BREAKING = new RegExp(LINE_BREAKING, 'g');

/** True when the text can stand in a header: one line, no control characters, no lone surrogates. */
export const isOneLine = (text: string): boolean => !LINE_BREAKING.test(text) && text.isWellFormed();

/** Turns received text into one line: every control character becomes a space, lone surrogates U+FFFD, the ends are trimmed. */
export const toOneLine = (text: string): string => text.replace(EVERY_LINE_BREAKING, ' ').toWellFormed().trim();
