// Stands in for `html-to-text` under mailparser in bundles: the parser runs with `skipHtmlToText` and never calls it.

/** Throws: reaching it means that the option was lost, and hostile HTML would cost seconds. */
export const htmlToText = (): never => {
  throw new Error('mailparser must run with skipHtmlToText');
};
