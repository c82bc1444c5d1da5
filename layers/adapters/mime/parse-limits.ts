// How much one received message may cost to read.
import type { ParseLimits } from '#domain/ports/mail-content.ts';

/** SES accepts 40 MB; the other caps are what no honest message reaches. */
export const PARSE_LIMITS: ParseLimits = {
  messageBytes: 42_000_000,
  parts: 1_000,
  headerBytes: 1_048_576,
  attachments: 250,
  textBytes: 8_388_608,
};

/** The header-only reading looks at this much of a message that could not be read whole. */
export const HEADER_ONLY_BYTES = 262_144;

/** A parse that takes longer than this is ended; it guards against a stalled library, not against a slow machine. */
export const PARSE_TIMEOUT_MS = 30_000;

/** The `parseError` of a message whose parse was ended. */
export const PARSE_STALLED = 'parsing took too long';
