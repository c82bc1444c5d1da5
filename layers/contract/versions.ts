// The version of the API, what is deprecated since when, and when it may go. Constants only.

/** Sent with every reply as `X-API-Version`. */
export const API_VERSION = '2.0.0';

/** Versions that are served. Paths are unversioned; a breaking change would come under a prefix of its own. */
export const SUPPORTED_VERSIONS = [{ version: API_VERSION, status: 'current', released_on: '2026-08-28', path_prefix: '' }] as const;

/** When the deprecated operations were announced: 2026-08-28, in Unix seconds. */
export const DEPRECATED_AT_SECONDS = 1_787_875_200;

/** `Deprecation` header of the deprecated operations: a structured date (RFC 9745). */
export const DEPRECATION_HEADER = `@${DEPRECATED_AT_SECONDS}`;

/** Day from which deprecated operations may be gone, unless the operator sets another. */
export const SUNSET_DATE_DEFAULT = '2027-08-28';
