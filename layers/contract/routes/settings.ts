// Rows of the account's own settings.
import { defineRoute } from '../define-route.ts';
import * as schema from '../schemas/settings.ts';

export const settingsRoutes = {
  getSettings: defineRoute({
    operationId: 'getSettings',
    method: 'GET',
    path: '/api/settings',
    area: 'settings',
    access: 'account',
    summary: 'Settings of the account',
    description: 'Returns the settings of the account.',
    responses: { 200: { description: 'The settings.', body: schema.SettingsReply } },
    errors: [],
  }),
  updateSettings: defineRoute({
    operationId: 'updateSettings',
    method: 'PUT',
    path: '/api/settings',
    area: 'settings',
    access: 'account',
    summary: 'Change the settings',
    description:
      'Stores the settings; omitted fields keep their value. `notification_email` gets a daily digest of unread mail; null switches it off.',
    body: schema.UpdateSettingsRequest,
    responses: { 200: { description: 'The settings stored.', body: schema.SettingsReply } },
    errors: ['try_again'],
  }),
  switchPrimaryHandle: defineRoute({
    operationId: 'switchPrimaryHandle',
    method: 'PUT',
    path: '/api/settings/primary',
    area: 'settings',
    access: 'account',
    summary: 'Make an alias the primary handle',
    description:
      'Makes an alias of the account its primary handle; the old one stays as an alias and keeps delivering. Returns a new token. A handle that is ' +
      'no alias of the account is 404.',
    body: schema.SwitchPrimaryHandleRequest,
    responses: { 200: { description: 'The handle is primary.', body: schema.SwitchPrimaryHandleReply } },
    errors: ['name_not_owned', 'not_found', 'chain_unavailable', 'try_again'],
    secretReply: true,
  }),
} as const;
