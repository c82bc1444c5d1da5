// Stands in for `iconv-lite` under mailparser in bundles: the platform's decoders know the charsets of mail (WHATWG
// Encoding), and two copies of iconv's tables would be a megabyte of the function. Unknown charsets throw, as iconv's do.
import { Transform, type TransformCallback } from 'node:stream';
import { TextDecoder } from 'node:util';

export const encodingExists = (charset: string): boolean => {
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
};

/** Text of bytes in a charset; throws a RangeError when the charset is unknown. */
export const decode = (bytes: Uint8Array, charset: string): string => new TextDecoder(charset).decode(bytes);

/** A stream from bytes of a charset to UTF-8; throws a RangeError when the charset is unknown. */
export const decodeStream = (charset: string): Transform => {
  const decoder = new TextDecoder(charset);
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      done(null, decoder.decode(chunk, { stream: true }));
    },
    flush(done: TransformCallback) {
      done(null, decoder.decode());
    },
  });
};
