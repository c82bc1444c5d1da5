// The Message-IDs that SES puts on what it sends, both ways: from its id of a message, and back to it.
import type { ReadWireId, WireMessageIds } from '#domain/ports/mail.ts';

/** `<0100018f...-000000@eu-west-1.amazonses.com>`; in us-east-1 the host is `email.amazonses.com`. */
const WIRE_ID = /^<([0-9a-z-]{10,120})@(?:email|[a-z0-9-]{3,30})\.amazonses\.com>$/i;

/** Message-IDs for a region. */
export const wireMessageIdsIn =
  (region: string): WireMessageIds =>
  (wireId) => {
    const ids = [`<${wireId}@${region}.amazonses.com>`];
    return region === 'us-east-1' ? [...ids, `<${wireId}@email.amazonses.com>`] : ids;
  };

/** The id inside, whatever region sent it. */
export const readWireId: ReadWireId = (messageId) => WIRE_ID.exec(messageId)?.[1];
