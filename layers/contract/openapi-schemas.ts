// Names every schema of the contract once and renders them as the document's components.
import type * as z from 'zod';
import type { RouteRow } from './define-route.ts';
import { ErrorBody } from './errors.ts';
import { MessageReceivedEvent } from './events.ts';
import { type Json, renderNamed } from './json-schema.ts';
import { AirdropScore, AirdropWave } from './schemas/airdrop.ts';
import { Alias } from './schemas/aliases.ts';
import { AttentionBond, AttentionConfig, GetAttentionQafReply, WhitelistEntry } from './schemas/attention.ts';
import { AttnConstants, AttnSettingsReply, AttnTransaction } from './schemas/attn.ts';
import { ApiKeyRow, AuthAgentRegisterReply } from './schemas/auth.ts';
import { GetOpenApiReply } from './schemas/discovery.ts';
import { SuccessReply } from './schemas/fields.ts';
import { AttachmentRow, EmailAuth, EmailDetail, EmailRow } from './schemas/mailbox.ts';
import { CreditTransaction } from './schemas/payments.ts';
import { OwnedBasename, PriceInfo } from './schemas/registration.ts';
import { AttachmentInput } from './schemas/sending.ts';
import { SettingsReply } from './schemas/settings.ts';
import { Webhook, WebhookDelivery } from './schemas/webhooks.ts';

/** Replies and parts of replies that have a name of their own; the rest is named after its operation. */
const NAMED_REPLIES = {
  Error: ErrorBody,
  MessageReceivedEvent,
  Success: SuccessReply,
  SignInReply: AuthAgentRegisterReply,
  ApiKey: ApiKeyRow,
  PriceInfo,
  OwnedBasename,
  Email: EmailRow,
  EmailDetail,
  EmailAuth,
  Attachment: AttachmentRow,
  CreditTransaction,
  AttentionConfig,
  AttentionBond,
  Qaf: GetAttentionQafReply,
  WhitelistEntry,
  AttnConstants,
  AttnSettings: AttnSettingsReply,
  AttnTransaction,
  AirdropScore,
  AirdropWave,
  Webhook,
  WebhookDelivery,
  Alias,
  Settings: SettingsReply,
  OpenApiDocument: GetOpenApiReply,
} as const;

const NAMED_REQUESTS = { AttachmentInput } as const;

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export interface SchemaNames {
  readonly requests: ReadonlyMap<z.ZodType, string>;
  readonly replies: ReadonlyMap<z.ZodType, string>;
}

function nameReplies(row: RouteRow, names: Map<z.ZodType, string>): void {
  const statuses = Object.entries(row.responses);
  for (const [status, { body }] of statuses) {
    if (body === undefined || names.has(body)) continue;
    names.set(body, `${pascalCase(row.operationId)}Reply${statuses.length > 1 ? status : ''}`);
  }
}

/** Gives each schema one name; a schema that several rows share keeps its first. */
export function nameSchemas(rows: readonly RouteRow[]): SchemaNames {
  const requests = new Map<z.ZodType, string>();
  const replies = new Map<z.ZodType, string>();
  for (const [name, schema] of Object.entries(NAMED_REPLIES)) replies.set(schema, name);
  for (const [name, schema] of Object.entries(NAMED_REQUESTS)) requests.set(schema, name);
  for (const row of rows) {
    if (row.body !== undefined && !requests.has(row.body)) requests.set(row.body, `${pascalCase(row.operationId)}Request`);
    nameReplies(row, replies);
  }
  return { requests, replies };
}

/** `components.schemas` of the document. */
export const componentSchemas = ({ requests, replies }: SchemaNames): Json => ({
  ...renderNamed(requests, 'input'),
  ...renderNamed(replies, 'output'),
});
