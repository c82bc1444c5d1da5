// Stands in for `postcss` under sanitize-html in bundles: style attributes are not allowed, so none is ever parsed.

/** Throws: reaching it means that style attributes were let through. */
export const parse = (): never => {
  throw new Error('sanitize-html must run with parseStyleAttributes: false');
};
