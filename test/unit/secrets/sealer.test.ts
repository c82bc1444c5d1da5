// Sealed texts over rotations of their key, and what became of them on the way.
import { describe, expect, it } from 'vitest';
import { openSealer } from '#adapters/secrets/sealer.ts';
import type { SecretValues } from '#adapters/secrets/secret-reader.ts';

const sealerWith = (values: SecretValues) => openSealer(async () => values);

describe('a sealed text', () => {
  it('default: is opened by the key that sealed it, and looks different each time', async () => {
    const sealer = sealerWith({ current: 'one' });
    const [first, second] = [await sealer.seal('whsec_abc'), await sealer.seal('whsec_abc')];

    expect(first).not.toBe(second);
    expect([await sealer.open(first), await sealer.open(second)]).toEqual(['whsec_abc', 'whsec_abc']);
  });

  it('behavior: is opened after any number of rotations, as long as the secret holds its key', async () => {
    const sealed = await sealerWith({ current: 'one' }).seal('whsec_abc');

    expect(await sealerWith({ current: 'two', previous: 'one' }).open(sealed)).toBe('whsec_abc');
    expect(await sealerWith({ current: 'three', previous: 'two', 'previous-2': 'one' }).open(sealed)).toBe('whsec_abc');
    await expect(sealerWith({ current: 'three', previous: 'two' }).open(sealed)).rejects.toThrow('no key of the secret');
  });

  it('error: is refused when anything of it was changed or cut off', async () => {
    const sealer = sealerWith({ current: 'one' });
    const bytes = Buffer.from((await sealer.seal('whsec_abc')).slice('v1.'.length), 'base64');
    const torn = [
      ...Array.from(bytes.keys(), (index) => bytes.map((byte, at) => (at === index ? byte ^ 1 : byte))),
      ...Array.from(bytes.keys(), (length) => bytes.subarray(0, length)),
    ];

    for (const each of torn) await expect(sealer.open(`v1.${Buffer.from(each).toString('base64')}`)).rejects.toThrow();
    await expect(sealer.open('v2.AAAA')).rejects.toThrow('another format');
  });
});
