// Which names the service takes: the interface's pattern, and then what ENSIP-15 leaves unchanged.

const SUFFIX = '.base.eth';
const LABEL_LENGTH_MIN = 3;
const LABEL_LENGTH_MAX = 32;
const LABEL = /^[a-z0-9][a-z0-9_-]*[a-z0-9]$/;

/**
 * ENSIP-15 for labels of ASCII letters, digits, `-` and `_`: an underscore may only lead (the pattern forbids that),
 * and `--` as third and fourth character is reserved for encodings such as `xn--`.
 */
const isNormalised = (label: string): boolean => !label.includes('_') && !label.startsWith('--', 2);

/** The label of `alice` or `alice.base.eth`; undefined when it is no name for this service. Upper case is refused. */
export const parseLabel = (text: string): string | undefined => {
  if (text.length > LABEL_LENGTH_MAX + SUFFIX.length) return undefined;
  const label = text.endsWith(SUFFIX) ? text.slice(0, -SUFFIX.length) : text;
  const fits = label.length >= LABEL_LENGTH_MIN && label.length <= LABEL_LENGTH_MAX;
  return fits && LABEL.test(label) && isNormalised(label) ? label : undefined;
};

/** `alice` → `alice.base.eth`. */
export const toBasename = (label: string): string => `${label}${SUFFIX}`;
