// The table of the simulation: one server for all runs, and a fresh table, with its stream, for each.
import { type RealTable, startRealTable } from '#test/support/real-table.ts';

/** What the functions call it. */
export const TABLE_NAME = 'simulation';

let server: RealTable | undefined;

/** The name of the present run's table. */
export const presentTableName = (): string => server?.name ?? TABLE_NAME;

export const startTableServer = async (): Promise<RealTable> => {
  server = await startRealTable({ hasStream: true });
  return server;
};
