// The function's configuration, read from its environment once. A missing value stops the function with its name,
// instead of ending as `undefined` in a key or an address.

export interface Config {
  readonly stage: string;
  readonly tableName: string;
  readonly mailDomain: string;
  /** The address the service is reached at; empty when the request's own host has to tell. */
  readonly baseUrl: string;
  readonly serviceName: string;
  readonly operatorEmail: string;
  readonly depositAddress: string;
  readonly sunsetDate: string;
}

/** Reads one value that must be there. */
export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is not set`);
  return value;
};

export const optional = (name: string, fallback = ''): string => process.env[name] ?? fallback;

export const readConfig = (): Config => ({
  stage: optional('STAGE', 'local'),
  tableName: required('TABLE_NAME'),
  mailDomain: required('MAIL_DOMAIN'),
  baseUrl: optional('BASE_URL'),
  serviceName: optional('SERVICE_NAME', 'Agent Email'),
  operatorEmail: optional('OPERATOR_EMAIL'),
  depositAddress: optional('DEPOSIT_ADDRESS').toLowerCase(),
  sunsetDate: optional('SUNSET_DATE', '2027-08-28'),
});
