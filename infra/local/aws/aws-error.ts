// What the AWS endpoint refuses with, whatever protocol the call came by.

/** A refusal in AWS's words. `detail` adds members to the body (JSON protocols) or elements (S3). */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly status: number;
  readonly code: string;
  readonly detail: Readonly<Record<string, unknown>>;
  constructor(status: number, code: string, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}
