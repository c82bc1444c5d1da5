// The structured log: one JSON line an entry, with the request it belongs to. What is logged is chosen field by field,
// never bodies, tokens, signatures or addresses of people. Own lines, because a logging library would cost every cold
// start 23 KB for what JSON.stringify does.

type Fields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

const write = (level: 'INFO' | 'WARN' | 'ERROR', message: string, fields: Fields): void => {
  const entry = { level, time: new Date().toISOString(), function: process.env['AWS_LAMBDA_FUNCTION_NAME'], message, ...fields };
  process.stdout.write(`${JSON.stringify(entry)}\n`);
};

export const logger = {
  info: (message: string, fields: Fields = {}): void => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}): void => write('WARN', message, fields),
} as const;

const CAUSES_MAX = 5;

const causesOf = (error: unknown): string[] => {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < CAUSES_MAX; at = at.cause) texts.push(`${at.name}: ${at.message}`);
  return texts;
};

/** Logs a fault of ours with its chain of causes and the stack of the first; alarms count these. */
export const logFault = (message: string, error: unknown, fields: Fields = {}): void =>
  write('ERROR', message, { ...fields, causes: causesOf(error), stack: error instanceof Error ? error.stack : String(error) });
