// The fixed-window limits of the interface, in one place (interface, "Limits").
import type { Limit } from './ports/stores.ts';

export const LIMITS = {
  register: { name: 'register', most: 5, windowSeconds: 3600 },
  sponsoredBasename: { name: 'sponsored-basename', most: 2, windowSeconds: 86_400 },
  sendIp: { name: 'send-ip', most: 30, windowSeconds: 3600 },
  sendHandle: { name: 'send-handle', most: 10, windowSeconds: 3600 },
  /** Stops two programs that answer each other; see domain/mail/send-limits.ts. */
  threadPace: { name: 'thread-pace', most: 60, windowSeconds: 60 },
  prestore: { name: 'prestore', most: 10, windowSeconds: 2_592_000 },
} as const satisfies Record<string, Limit>;
