// The limits of the service as its documentation states them, one entry each.
import type { LimitName } from './define-route.ts';

export interface RateLimitPolicy {
  /** What the calls are counted by: the caller's IP, the handle, or the recipient. */
  readonly key: 'ip' | 'handle' | 'recipient';
  readonly limit: number;
  readonly windowSeconds: number;
  readonly counts: string;
}

/** The fixed-window rate limits: bucket = floor(now / window). */
export const RATE_LIMITS: Readonly<Record<LimitName, RateLimitPolicy>> = {
  register: { key: 'ip', limit: 5, windowSeconds: 3600, counts: 'calls that would make an account, after the signature was verified' },
  'sponsored-basename': { key: 'ip', limit: 2, windowSeconds: 86_400, counts: 'names about to be bought by the service' },
  'send-ip': { key: 'ip', limit: 30, windowSeconds: 3600, counts: 'external messages of free accounts' },
  'send-handle': { key: 'handle', limit: 10, windowSeconds: 3600, counts: 'external messages of a free account' },
  prestore: { key: 'recipient', limit: 10, windowSeconds: 2_592_000, counts: 'messages kept for an unregistered 0x address' },
};

/** The other limits, as the documentation lists them. */
export const OTHER_LIMITS: Readonly<Record<string, string>> = {
  request_body: '5 MB; larger attachments go through POST /api/uploads',
  attachment: '10 MB each, 20 for a message',
  message: '40 MB of MIME',
  prestored_message: '1 MB of MIME, kept 30 days',
  inbox_limit: '100 rows a page; offset at most 100,000',
  credit_history: '50 rows',
  leaderboard: '20 rows',
  attn_earned_per_day: '200 per account and UTC day',
  receive_price: '1 to 10 ATTN',
  webhooks: '20 per account',
  nonce: '300 seconds, one use',
  session_token: '24 hours',
  refresh_token: '60 days',
  idempotency_key: '1 to 255 characters, kept 24 hours',
  credit_purchase: 'at least 0.0001 ETH (100 credits)',
  pro_price: '0.008 ETH',
  sponsored_name: 'at most 0.002 ETH',
};
