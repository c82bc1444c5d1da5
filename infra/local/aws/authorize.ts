// Finds out who calls and whether that function's role allows it; refuses as AWS does, in the words of each service.
import type { Assembly, CallerDirectory, LocalFunction, PolicyStatement } from '#infra/local/model.ts';
import { accountOf, sessionArn } from './arns.ts';
import type { AwsCall, Protocol } from './aws-call.ts';
import { AwsError } from './aws-error.ts';
import { type Decision, decide, type Permission } from './iam.ts';
import { permissionsOf } from './permissions.ts';
import { listPermission } from './s3-permissions.ts';

/** Who a call acts for. A presigned URL has no environment: the one that made it may be long gone. */
export interface Principal {
  readonly fn: LocalFunction;
  readonly route: string;
  readonly environmentId?: string;
}

/** Route under which the use of presigned URLs is metered. */
const PRESIGNED_ROUTE = 'presigned-url';

const UNKNOWN_CALLER: Readonly<Record<Protocol, readonly [string, string]>> = {
  json: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  query: ['InvalidClientTokenId', 'The security token included in the request is invalid.'],
  s3: ['InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.'],
  'rest-json': ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
};

/** Environment ids read `<function name>.<n>`, so the signer of an old URL is still known by its function. */
function signerOf(call: AwsCall, assembly: Assembly, callers: CallerDirectory): LocalFunction | undefined {
  const name = call.accessKeyId.slice(0, Math.max(call.accessKeyId.lastIndexOf('.'), 0));
  return callers.callerOf(call.accessKeyId)?.function ?? assembly.functions.find((fn) => fn.name === name);
}

/**
 * Finds the function that signed a call.
 *
 * @throws AwsError 403 when the key belongs to no function of ours
 */
export function principalOf(call: AwsCall, assembly: Assembly, callers: CallerDirectory): Principal {
  if (call.presigned) {
    const fn = signerOf(call, assembly, callers);
    if (fn) return { fn, route: PRESIGNED_ROUTE };
  } else {
    const caller = callers.callerOf(call.accessKeyId);
    if (caller) return { fn: caller.function, route: caller.route, environmentId: caller.environmentId };
  }
  throw new AwsError(403, ...UNKNOWN_CALLER[call.protocol]);
}

function refusal(call: AwsCall, fn: LocalFunction, permission: Permission, decision: Decision): AwsError {
  const [action = ''] = permission.actions;
  const user = sessionArn(fn);
  const denied = `is not authorized to perform: ${action} on resource: ${permission.resource}`;
  const because =
    decision === 'explicitly-denied'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  if (call.service === 'ses' && call.protocol === 'query') {
    return new AwsError(
      403,
      'AccessDenied',
      `User \`${user}' is not authorized to perform \`${action}' on resource \`${permission.resource}'`,
    );
  }
  const code =
    call.service === 'sns'
      ? 'AuthorizationError'
      : call.protocol === 'json' || call.protocol === 'rest-json'
        ? 'AccessDeniedException'
        : 'AccessDenied';
  return new AwsError(403, code, `User: ${user} ${denied} ${because}`);
}

/**
 * Checks a call against the policies of the function that makes it; every permission it needs has to be given.
 *
 * @throws AwsError 403 naming the first action and resource that are missing
 */
export function authorize(call: AwsCall, fn: LocalFunction, assembly: Assembly): void {
  for (const permission of permissionsOf(call, assembly, accountOf(fn))) {
    const decision = decide(fn.policies, permission);
    if (decision !== 'allowed') throw refusal(call, fn, permission, decision);
  }
}

/** Whether a role may list a bucket under a prefix. */
export const mayList = (policies: readonly PolicyStatement[], assembly: Assembly, bucket: string, prefix: string): boolean =>
  decide(policies, listPermission(assembly, bucket, prefix)) === 'allowed';
