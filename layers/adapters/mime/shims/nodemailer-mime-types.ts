// Stands in for nodemailer's table of a thousand file types in bundles (76 KB): the composer is always given the type
// and the name of an attachment, so neither is ever guessed.

/** The type of which nothing is known. */
export const detectMimeType = (): string => 'application/octet-stream';

/** The extension of the type of which nothing is known. */
export const detectExtension = (): string => 'bin';
