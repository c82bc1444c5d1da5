// The line of text that a mailbox listing shows of a message.

const SNIPPET_LENGTH = 200;
/** Text after this much is not looked at: a snippet behind a megabyte of blanks is no snippet. */
const SCANNED_LENGTH_MAX = 20_000;
/** White space, controls, and the invisible fillers that newsletters pad their preview with. */
const BLANK = /(?:[\s\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\u034f)+/g;

/** The first 200 characters (code points) of a text with white space folded; empty for an empty text. */
export const snippetOf = (text: string): string => {
  const folded = text.slice(0, SCANNED_LENGTH_MAX).toWellFormed().replace(BLANK, ' ').trim();
  return Array.from(folded.slice(0, SNIPPET_LENGTH * 2))
    .slice(0, SNIPPET_LENGTH)
    .join('')
    .trim();
};
