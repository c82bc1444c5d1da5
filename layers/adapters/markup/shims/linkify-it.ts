// Stands in for `linkify-it` under markdown-it in bundles: bare addresses are not made into links, so it is made and never asked.

/** Throws when asked: reaching it means that `linkify` was switched on. */
export class LinkifyIt {
  test(): never {
    throw new Error('markdown-it must run with linkify: false');
  }
}
