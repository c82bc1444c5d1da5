// Every minute: follows the registrar's events into the table, so that names given to a wallet are found.
import { openNameEventStore } from '#adapters/dynamo/name-store.ts';
import { openTable } from '#adapters/dynamo/table.ts';
import { openChainAccess } from '#adapters/evm/chain-access.ts';
import { openSecret } from '#adapters/secrets/secret-reader.ts';
import { tailNames } from '#domain/identity/tail-names.ts';
import { scheduleHandler } from '#events/schedule.ts';
import { optional, readConfig, required } from '#runtime/config.ts';

const table = openTable(readConfig().tableName);
const { nameEvents } = openChainAccess(openSecret(optional('CHAIN_SECRET')));
const ports = { nameEvents, nameEventStore: openNameEventStore(table) };
const startBlock = Number(required('NAMES_START_BLOCK'));

export const handler = scheduleHandler('blocks followed', (_now, hasTime) => tailNames(ports, startBlock, hasTime));
