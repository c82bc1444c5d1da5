// Every row of the contract. Only infrastructure and discovery import this file: a function of one area imports its own rows.
import type { Area, RouteRow } from './define-route.ts';
import { airdropRoutes } from './routes/airdrop.ts';
import { aliasesRoutes } from './routes/aliases.ts';
import { attentionRoutes } from './routes/attention.ts';
import { attnRoutes } from './routes/attn.ts';
import { authRoutes } from './routes/auth.ts';
import { discoveryRoutes } from './routes/discovery.ts';
import { identityRoutes } from './routes/identity.ts';
import { mailboxRoutes } from './routes/mailbox.ts';
import { paymentsRoutes } from './routes/payments.ts';
import { registrationRoutes } from './routes/registration.ts';
import { sendingRoutes } from './routes/sending.ts';
import { settingsRoutes } from './routes/settings.ts';
import { webhooksRoutes } from './routes/webhooks.ts';
import { worldIdRoutes } from './routes/world-id.ts';

/** The rows of each area by operationId. */
export const AREA_ROUTES: Readonly<Record<Area, Readonly<Record<string, RouteRow>>>> = {
  auth: authRoutes,
  registration: registrationRoutes,
  identity: identityRoutes,
  mailbox: mailboxRoutes,
  sending: sendingRoutes,
  payments: paymentsRoutes,
  attention: attentionRoutes,
  attn: attnRoutes,
  airdrop: airdropRoutes,
  webhooks: webhooksRoutes,
  aliases: aliasesRoutes,
  settings: settingsRoutes,
  'world-id': worldIdRoutes,
  discovery: discoveryRoutes,
};

/** All rows, area by area. */
export const ROUTES: readonly RouteRow[] = Object.values(AREA_ROUTES).flatMap((rows) => Object.values(rows));

/** The rows as a deployment serves them: without a word of payments by call where it takes none. */
export const servedRoutes = ({ takesPayments }: { readonly takesPayments: boolean }): readonly RouteRow[] =>
  takesPayments ? ROUTES : ROUTES.map(({ payment: _, ...row }) => row);
