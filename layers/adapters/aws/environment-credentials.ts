// Stands in for `@aws-sdk/credential-provider-node` in the bundles. A function's credentials always come from its
// environment, so the chain behind the original (files, SSO, metadata service) is a third of a bundle for nothing.

/** Credentials as the SDK's clients take them. */
export interface EnvironmentCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration: Date;
}

/**
 * Makes a provider that reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN` anew on each call.
 * The credentials say that they expire at once: the SDK keeps what does not expire for ever and would miss a rotation.
 * @throws in the provider, when the environment holds no credentials.
 */
export const defaultProvider = (): (() => Promise<EnvironmentCredentials>) => async () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (!accessKeyId || !secretAccessKey) throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set');
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}), expiration: new Date() };
};
