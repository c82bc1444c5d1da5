// Presigned addresses. Only large content needs them, so the signer is loaded by the first request that does.
import type { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

interface SigningOptions {
  /** Seconds for which the address works. */
  readonly expiresIn: number;
  /** Header names that become part of the signature. */
  readonly signableHeaders?: Set<string>;
}

/** An address that lets its holder make exactly this call. */
export const signedUrl = async (
  client: S3Client,
  command: GetObjectCommand | PutObjectCommand,
  options: SigningOptions,
): Promise<string> => {
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
  return getSignedUrl(client, command, options);
};
