// Stands in for the SDK's own SHA-256 in bundles: it is taken where a Node was built without cryptography, and the
// functions' Node was not.

/** Throws: reaching it means that Node's hashes are missing. */
export class Sha256Js {
  constructor() {
    throw new Error('this Node has no cryptography, and the bundles hold none');
  }
}
