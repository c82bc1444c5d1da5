// The operator's settings: where they come from, what they may be, and the sentences that say what is wrong with them.
import * as z from 'zod';
import { WaveSettings } from '#contract/schemas/airdrop.ts';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const RULE_SET = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0', 'on', 'off'])])
  .transform((value) => [true, 'true', '1', 'on'].includes(value));
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** The first wave opens at 04:01 Pacific time on 1 April 2026 and has no end. */
const DEFAULT_WAVES: WaveSettings = [
  {
    id: 'wave1-early-bird',
    name: 'Early Bird',
    badge: 'early-bird',
    multiplier: 2,
    opens_at: '2026-04-01T11:01:00Z',
    closes_at: null,
    amount_max: 5000,
  },
];

const waveComplaints = (text: string): readonly string[] => {
  try {
    const result = WaveSettings.safeParse(JSON.parse(text));
    return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  } catch {
    return ['must be a JSON list of waves'];
  }
};

const Settings = z
  .strictObject({
    stage: z
      .string()
      .regex(
        /^[a-z](?:[a-z0-9-]{0,14}[a-z0-9])?$/,
        'must be 1 to 16 characters of a-z, 0-9 and -, beginning with a letter and ending with a letter or digit',
      ),
    mailDomain: z.string().toLowerCase().regex(DOMAIN, 'must be a domain name, such as agents.example.com'),
    operatorEmail: z.email('must be an email address; alarms and mail to postmaster@ go there'),
    serviceName: z.string().min(1).max(64).default('Agent Email'),
    baseUrl: z.union([z.literal(''), z.url('must be an absolute URL, such as https://api.example.com')]).default(''),
    depositAddress: z.union([z.literal(''), z.string().regex(ADDRESS, 'must be 0x and 40 hexadecimal digits')]).default(''),
    mppEnabled: flag.default(false),
    tempoChainId: whole(1, 2 ** 31).default(4217),
    paymentBindSender: flag.default(true),
    confirmations: z
      .string()
      .regex(/^\d+=[1-9]\d*(,\d+=[1-9]\d*)*$/, 'must read chain=blocks with at least one block, such as 8453=2,1=3,84532=1')
      .default('8453=2,1=3,84532=1'),
    /** Base's block at which names began; the event tail starts there. */
    namesStartBlock: whole(0, 2 ** 40).default(17_571_480),
    sunsetDate: z.iso.date('must be a date, such as 2027-08-28').default('2027-08-28'),
    logRetentionDays: z.coerce
      .number()
      .refine(
        (days) => [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731].includes(days),
        'must be a number of days that CloudWatch offers',
      )
      .default(30),
    airdropWaves: z
      .string()
      .superRefine((text, context) => {
        for (const complaint of waveComplaints(text)) context.addIssue({ code: 'custom', message: complaint });
      })
      .default(JSON.stringify(DEFAULT_WAVES)),
    receiptRuleSet: z.union([z.literal(''), z.string().regex(RULE_SET, 'must be the name of a receipt rule set that exists')]).default(''),
    worldIdAppId: z.string().default(''),
    worldIdRpId: z.string().default(''),
    worldIdAction: z.string().default('verify-human'),
    worldIdStub: flag.default(false),
    loopbackWebhooks: flag.default(false),
  })
  .readonly();

/** Every setting that exists; unknown names are refused, so that a misspelt one cannot be silently ignored. */
export type Config = z.output<typeof Settings>;

const SETTING_NAMES = Object.keys(Settings.unwrap().shape) as readonly (keyof Config)[];

/** What `npm start` runs with when nobody says otherwise. */
const LOCAL_DEFAULTS: Readonly<Partial<Record<keyof Config, unknown>>> = {
  mailDomain: 'agents.localhost.test',
  operatorEmail: 'operator@localhost.test',
  mppEnabled: true,
  namesStartBlock: 0,
  worldIdAppId: 'app_local',
  worldIdRpId: 'rp_local',
  worldIdStub: true,
  loopbackWebhooks: true,
};

/** Settings that make sense on one machine only; anywhere else they would be a hole. */
const LOCAL_ONLY: Readonly<Partial<Record<keyof Config, string>>> = {
  worldIdStub: 'accepts any proof of humanity',
  loopbackWebhooks: 'lets a webhook reach the inside of the function',
};

/** Thrown at synth; its message lists every setting that is wrong, with the two ways of setting it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** `mailDomain` is set with `-c mailDomain=...` or with `MAIL_DOMAIN=...`. */
export const environmentName = (setting: string): string => setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const howToSet = (setting: string): string => `(set it with -c ${setting}=... or ${environmentName(setting)}=...)`;

const given = (
  context: (name: string) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Record<keyof Config, unknown>> => {
  const found: Partial<Record<keyof Config, unknown>> = {};
  for (const name of SETTING_NAMES) {
    const value = context(name) ?? environment[environmentName(name)];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
};

const isWithin = (address: string, domain: string): boolean => {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return host === domain || host.endsWith(`.${domain}`);
};

const cloudComplaints = (config: Config): readonly string[] => {
  if (config.stage === 'local') return [];
  const complaints = Object.entries(LOCAL_ONLY)
    .filter(([name]) => config[name as keyof Config] === true)
    .map(([name, harm]) => `${name}: ${harm}, so only the stage "local" may have it`);
  if (/^0x0{40}$/.test(config.depositAddress)) complaints.push('depositAddress: what is sent to the zero address is gone');
  // Alarms and mail to abuse@ would land in a mailbox of the service itself, or with whoever registers that name.
  if (isWithin(config.operatorEmail, config.mailDomain)) complaints.push('operatorEmail: must lie outside mailDomain');
  if (config.depositAddress === '') complaints.push(`depositAddress: is missing ${howToSet('depositAddress')}`);
  if (config.baseUrl !== '' && !config.baseUrl.startsWith('https://'))
    complaints.push('baseUrl: must begin with https:// outside the stage "local"');
  return complaints;
};

/** Names in the CDK context that look like settings and are none; CDK's own hold signs that ours never do. */
const unknownSettings = (names: readonly string[]): readonly string[] =>
  names
    .filter((name) => /^[A-Za-z]+$/.test(name) && !(SETTING_NAMES as readonly string[]).includes(name))
    .map((name) => `${name}: there is no such setting`);

const refuse = (complaints: readonly string[]): never => {
  throw new ConfigError(`The settings are not right:\n${complaints.map((line) => `  - ${line}`).join('\n')}`);
};

/**
 * What stands against deploying: more than is asked of a synthesis that goes nowhere.
 *
 * @param contextNames every name in the CDK context, where a misspelt setting would else be passed over
 * @param account the account that the caller has credentials for, if any
 * @param isAddress tells whether an address with capitals has the right ones (EIP-55)
 * @throws ConfigError
 */
export function refuseToDeploy(
  config: Config,
  deploying: {
    readonly contextNames: readonly string[];
    readonly account: string | undefined;
    readonly isAddress: (text: string) => boolean;
  },
): void {
  const complaints = [...unknownSettings(deploying.contextNames)];
  if (config.stage === 'local' && deploying.account !== undefined)
    complaints.push(`stage: is missing; "local" accepts any proof and any webhook, so it never goes to an account ${howToSet('stage')}`);
  if (config.depositAddress !== '' && !deploying.isAddress(config.depositAddress))
    complaints.push('depositAddress: has a wrong checksum; one of its characters is not what it was');
  if (complaints.length > 0) refuse(complaints);
}

/**
 * Reads the settings from the CDK context and the environment (the context wins), fills defaults and checks them.
 * @throws ConfigError naming every wrong setting at once.
 */
export function readConfig(
  context: (name: string) => unknown = () => undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const settings = given(context, environment);
  const stage = settings.stage ?? 'local';
  const result = Settings.safeParse({ ...(stage === 'local' ? LOCAL_DEFAULTS : {}), ...settings, stage });
  if (!result.success) {
    return refuse(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message} ${howToSet(issue.path.join('.'))}`));
  }
  const complaints = cloudComplaints(result.data);
  return complaints.length > 0 ? refuse(complaints) : result.data;
}

/** Physical names that two stacks must agree on without referring to each other. */
export const resourceNames = (config: Config) => ({
  /** Begins the name of everything that has one. */
  prefix: `agent-email-${config.stage}`,
  receiptRuleSet: config.receiptRuleSet || `agent-email-${config.stage}`,
  /** In a set that is shared, with other stages too, the name says whose rule it is. */
  receiptRule: config.receiptRuleSet ? `agent-email-${config.stage}-catch-all` : 'catch-all',
  configurationSet: `agent-email-${config.stage}`,
});
