// EventBridge's cron expressions: minutes hours day-of-month month day-of-week year, in UTC.

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MINUTE_MS = 60_000;
const SEARCH_MINUTES_MAX = 366 * 24 * 60;

type Field = (value: number) => boolean;

/** The first time after `afterMs` (ms since the epoch) that the expression names, within a year; else undefined. */
export function nextCronMs(expression: string, afterMs: number): number | undefined {
  const matches = parseCron(expression);
  let at = (Math.floor(afterMs / MINUTE_MS) + 1) * MINUTE_MS;
  for (let step = 0; step < SEARCH_MINUTES_MAX; step += 1, at += MINUTE_MS) if (matches(new Date(at))) return at;
  return undefined;
}

function parseCron(expression: string): (time: Date) => boolean {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== 6) throw new Error(`cron(${expression}) has no six fields`);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = '', year = ''] = parts;
  const fields: readonly [Field, (time: Date) => number][] = [
    [parseField(minute, 0), (time) => time.getUTCMinutes()],
    [parseField(hour, 0), (time) => time.getUTCHours()],
    [parseField(dayOfMonth, 1), (time) => time.getUTCDate()],
    [parseField(named(month, MONTHS, 1), 1), (time) => time.getUTCMonth() + 1],
    // EventBridge counts Sunday as 1.
    [parseField(named(dayOfWeek, DAYS, 1), 1), (time) => time.getUTCDay() + 1],
    [parseField(year, 1970), (time) => time.getUTCFullYear()],
  ];
  return (time) => fields.every(([matches, read]) => matches(read(time)));
}

function named(field: string, names: readonly string[], first: number): string {
  return names.reduce((text, name, index) => text.replaceAll(name, String(index + first)), field.toUpperCase());
}

function parseField(field: string, lowest: number): Field {
  if (field === '*' || field === '?') return () => true;
  const ranges = field.split(',').map((part) => parseRange(part, lowest));
  return (value) => ranges.some((matches) => matches(value));
}

function parseRange(part: string, lowest: number): Field {
  const parsed = /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(part);
  if (!parsed) throw new Error(`the cron field ${part} is not known here`);
  const [, from = '', to, step] = parsed;
  const first = from === '*' ? lowest : Number(from);
  const last = to !== undefined ? Number(to) : from === '*' || step !== undefined ? Number.POSITIVE_INFINITY : first;
  return (value) => value >= first && value <= last && (value - first) % Number(step ?? 1) === 0;
}
