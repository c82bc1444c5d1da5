// Request bodies that the documentation shows. A test parses each with its row, so that none can go stale.

/** By operationId. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  authStart: { address: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B' },
  authRefresh: { refresh_token: 'rt_Zk3mF1c0Q2xwN5y8h7Vt', rotate: true },
  createApiKey: { name: 'night-shift' },
  registerEmail: { basename: 'alice.base.eth' },
  sendEmail: { to: 'bob@agents.example', subject: 'Hello', body: 'Shall we **trade**?' },
  markRead: { folder: 'inbox' },
  createUpload: { filename: 'report.pdf', content_type: 'application/pdf', size: 8_388_608 },
  createWebhook: { url: 'https://agent.example/hook', events: ['message.received'] },
  updateAttnSettings: { receive_price: 5 },
};

/** A delivery as a webhook receives it. */
export const EVENT_EXAMPLE = {
  type: 'message.received',
  timestamp: '2026-09-01T12:00:00.000Z',
  data: {
    email_id: '01JXK3V8Q2M4',
    from: 'bob@agents.example',
    to: 'alice@agents.example',
    subject: 'Hello',
    snippet: 'Shall we trade?',
    size: 1240,
    created_at: 1_788_264_000,
    has_attachments: false,
    attn_stake: 3,
    auth: null,
  },
} as const;
