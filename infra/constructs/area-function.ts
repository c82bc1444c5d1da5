// One function of the service: its bundle, a role of its own with the rights of its row in permissions.ts, and a log
// that is kept for a set time. Functions are made nowhere else, so none can have more.
import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, type ILayerVersion, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { resourceNames } from '#infra/config.ts';
import { type FunctionSize, sizeOf } from '#infra/event-sources.ts';
import type { FunctionEntry } from '#infra/inventory.ts';
import { type FunctionPermissions, permissionsOf } from '#infra/permissions.ts';
import { environmentFor } from './function-environment.ts';
import { grantedPrefixes, statementsFor } from './function-policy.ts';
import type { SharedResources } from './shared-resources.ts';

/** Keeps the source maps, which are for reading stack traces, out of what is deployed. */
const functionCode = (entry: FunctionEntry, shared: SharedResources): Code =>
  Code.fromAsset(join(shared.bundles.functionsDir, entry.name), { exclude: ['*.map'] });

/**
 * The stack's own copy of the layer: a version shared between stacks would be exported under a name that changes with
 * its content, and CloudFormation refuses to change an export that is in use.
 */
const runtimeLayer = (scope: Construct, shared: SharedResources): ILayerVersion[] => {
  if (shared.bundles.layerDir === undefined) return [];
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild('EvmRuntime');
  if (existing instanceof LayerVersion) return [existing];
  const layer = new LayerVersion(stack, 'EvmRuntime', {
    layerVersionName: `${resourceNames(shared.config).prefix}-evm-runtime`,
    description: 'viem, siwe and mppx, each bundled to one file and loaded on first use',
    code: Code.fromAsset(shared.bundles.layerDir, { exclude: ['**/*.map'] }),
    compatibleRuntimes: [Runtime.NODEJS_24_X],
    compatibleArchitectures: [Architecture.ARM_64],
  });
  return [layer];
};

/** `mailbox-http` becomes `MailboxHttp`. */
export const constructId = (name: string): string => name.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());

/** A function, its role and its log group. */
export class AreaFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly role: Role;
  readonly entry: FunctionEntry;
  readonly size: FunctionSize;

  constructor(scope: Construct, entry: FunctionEntry, shared: SharedResources) {
    super(scope, constructId(entry.name));
    const permissions = permissionsOf(entry.name);
    this.entry = entry;
    this.size = sizeOf(entry.name);
    this.role = this.makeRole(permissions, shared);
    const logGroup = new LogGroup(this, 'Log', {
      retention: shared.config.logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    logGroup.grantWrite(this.role);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: `${resourceNames(shared.config).prefix}-${entry.name}`,
      description: `${shared.config.serviceName}: ${entry.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: functionCode(entry, shared),
      memorySize: this.size.memoryMb,
      timeout: Duration.seconds(this.size.timeoutSeconds),
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      environment: environmentFor(this, permissions, shared),
      layers: permissions.layer ? runtimeLayer(this, shared) : [],
    });
    this.lambda.node.addDependency(this.role);
  }

  private makeRole(permissions: FunctionPermissions, shared: SharedResources): Role {
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    for (const statement of statementsFor(this, permissions, shared)) role.addToPolicy(statement);
    for (const prefix of grantedPrefixes(permissions)) this.acknowledgePrefix(prefix, shared);
    return role;
  }

  /** Object keys end in ids that are made later, so a grant on objects has to name a prefix. */
  private acknowledgePrefix(prefix: string, shared: SharedResources): void {
    // The rule names the bucket as the template does: by the export of its stack.
    const data = Stack.of(shared.bucket);
    const imported = data.resolve(data.exportValue(shared.bucket.bucketArn)) as { readonly 'Fn::ImportValue': string };
    Validations.of(this).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${imported['Fn::ImportValue']}/${prefix}*]`,
      reason: `The function works on objects under ${prefix} alone`,
    });
  }
}
