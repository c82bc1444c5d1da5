// Addresses: whatever is accepted survives every other program's reading as the same single mailbox.
import addressparser from 'nodemailer/lib/addressparser/index.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '#adapters/mime/parse-address.ts';

const hostileCharacter = fc.constantFrom(...'ab.@<>,;:"\\()[] \t\r\n=?-_+1', '\u0000', '\u2028', 'ä', '\u202e');
const hostileText = fc.string({ unit: hostileCharacter, maxLength: 60 });

describe('parseAddress', () => {
  it('never throws and never returns anything but a plain lower-case addr-spec', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.emailAddress()), (text) => {
        const parsed = parseAddress(text);
        if (parsed === undefined) return;
        expect(parsed.address).toMatch(/^[!#-'*+\-/-9=?^-~.]+@[a-z0-9.-]+\.[a-z0-9-]+$/);
        expect(parseAddress(parsed.address)).toStrictEqual({ address: parsed.address });
      }),
      { numRuns: 5_000 },
    );
  });

  it('agrees with a lenient parser on what it accepts: one mailbox, the same one', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText,
          fc.tuple(hostileText, fc.emailAddress()).map(([name, email]) => `${name} <${email}>`),
        ),
        (text) => {
          const parsed = parseAddress(text);
          if (parsed === undefined) return;
          const others = addressparser(text, { flatten: true });
          expect(others.map(({ address }) => address.toLowerCase())).toStrictEqual([parsed.address]);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('reads any common address back', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (email) => {
        expect(parseAddress(email)?.address).toBe(email.toLowerCase());
      }),
    );
  });
});
