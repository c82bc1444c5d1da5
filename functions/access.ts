// What every area's function is wired from: its configuration, the table, and the gate that knows who is calling.
import { openAccounts } from '#adapters/dynamo/account-store.ts';
import { openApiKeys } from '#adapters/dynamo/credential-store.ts';
import { openIdempotency } from '#adapters/dynamo/idempotency-store.ts';
import { openTable, type Table } from '#adapters/dynamo/table.ts';
import { openSealer } from '#adapters/secrets/sealer.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { openCredentials } from '#adapters/tokens/credentials.ts';
import { openTokens } from '#adapters/tokens/session-tokens.ts';
import type { Tokens } from '#domain/ports/tokens.ts';
import type { Accounts } from '#domain/ports/stores.ts';
import type { AreaOptions } from '#http/area-handler.ts';
import { type Config, optional, readConfig } from '#runtime/config.ts';

export interface Access {
  readonly config: Config;
  readonly table: Table;
  readonly tokens: Tokens;
  readonly accounts: Accounts;
  /** Given to `areaHandler`. */
  readonly options: AreaOptions;
}

/** Opens what an HTTP function needs besides its own ports; once for the life of the function. */
export const openAccess = (): Access => {
  const config = readConfig();
  const table = openTable(config.tableName);
  const tokens = openTokens({ secret: openSecret(optional('SIGNING_SECRET')), audience: config.mailDomain });
  const sealer = openSealer(openSecret(optional('SEALING_SECRET')));
  const accounts = openAccounts(table);
  const gate = { credentials: openCredentials(tokens, openApiKeys(table)), accounts, idempotency: openIdempotency(table, sealer), sealer };
  return { config, table, tokens, accounts, options: { gate, baseUrl: config.baseUrl, sunsetDate: config.sunsetDate } };
};
