// Stands in for nodemailer's HTTP client in bundles: the composer runs with `disableUrlAccess`, and without a client
// even a lost option could not make it fetch an address that a sender chose.

/** Throws: reaching it means that a message was composed from a URL. */
const refuse = (): never => {
  throw new Error('the composer must not fetch URLs');
};

export { refuse as default };
