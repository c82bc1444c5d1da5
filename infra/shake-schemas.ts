// Lets esbuild drop the operations of an AWS client that nobody calls. The clients' schema files write trait names as
// computed keys (`{ [_xN]: ... }`), which esbuild must keep since computing a key could have an effect; with the plain
// names in their place, whatever no imported command refers to falls away: about 55 KB of the S3 client.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

const CONSTANT = /^const (_\w+) = ("[^"\n]*");$/gm;
const COMPUTED_KEY = /\[(_\w+)\]:/g;

/** The same module with every computed key that is a string constant written out. */
export const writeOutKeys = (source: string): string => {
  const constants = new Map([...source.matchAll(CONSTANT)].map(([, name, text]) => [name, text]));
  return source.replace(COMPUTED_KEY, (whole, name: string) => (constants.has(name) ? `${constants.get(name)}:` : whole));
};

export const shakeSchemas: Plugin = {
  name: 'shake-schemas',
  setup(builder) {
    builder.onLoad({ filter: /@aws-sdk[\\/]client-[a-z0-9-]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/ }, ({ path }) => ({
      contents: writeOutKeys(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};
