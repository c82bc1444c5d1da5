// Stands in for `dayjs` under sanitize-html in bundles: its helper formats dates, which no HTML of ours asks for.

/** Throws: reaching it means that the sanitiser began to launder dates. */
export const format = (): never => {
  throw new Error('sanitize-html is not expected to format dates');
};
