// The HTTP API: one route per row of the contract, to the function of the row's area; everything else goes to the
// discovery function, which answers unknown paths, wrong methods and preflights in the service's own words.
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RouteRow } from '#contract/define-route.ts';
import { type Config, resourceNames } from '#infra/config.ts';
import type { AreaFunction } from './area-function.ts';

export type GatewayRow = Pick<RouteRow, 'method' | 'path' | 'area' | 'payment'>;

/** Answers what no row names. */
const DEFAULT_AREA = 'discovery';

/**
 * API Gateway may rename `WWW-Authenticate` of a function's reply, and this puts it back. The challenge of a payment
 * travels in a second header for it.
 */
const RESTORE_BEARER = {
  '401': { ResponseParameters: [{ Destination: 'overwrite:header.www-authenticate', Source: 'Bearer' }] },
};
const RESTORE_CHALLENGE = {
  '402': { ResponseParameters: [{ Destination: 'overwrite:header.www-authenticate', Source: '$response.header.x-payment-challenge' }] },
};

const ACCESS_LOG_FORMAT = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
  error: '$context.integrationErrorMessage',
});

/**
 * Requests that the API takes from everyone together, in a second and at once. Of the 400 executions that operations.md
 * asks for, queue consumers take up to 140; the other 260 serve 500 requests a second of half a second each, and a burst
 * of 250 at once. What is more gets 429 here, where it costs nothing and takes no execution from mail that comes in.
 */
const THROTTLING = { throttlingRateLimit: 500, throttlingBurstLimit: 250 } as const;

export interface HttpGatewayProps {
  readonly config: Config;
  readonly rows: readonly GatewayRow[];
  readonly functions: ReadonlyMap<string, AreaFunction>;
}

/** The API, its stage and routes. */
export class HttpGateway extends Construct {
  readonly api: CfnApi;
  private readonly integrations = new Map<string, CfnIntegration>();

  constructor(scope: Construct, id: string, props: HttpGatewayProps) {
    super(scope, id);
    this.api = new CfnApi(this, 'Api', {
      name: resourceNames(props.config).prefix,
      protocolType: 'HTTP',
      description: `${props.config.serviceName}: HTTP API`,
    });
    for (const [area, made] of props.functions) this.integrate(area, made, props);
    for (const row of props.rows) this.route(`${row.method} ${row.path}`, row.area);
    this.route('$default', DEFAULT_AREA);
    this.tellMissing(props.rows);
    this.makeStage(props.config);
  }

  private integrate(area: string, made: AreaFunction, props: HttpGatewayProps): void {
    const takesPayments = props.config.mppEnabled && props.rows.some((row) => row.area === area && row.payment);
    const integration = new CfnIntegration(this, `${made.node.id}Integration`, {
      apiId: this.api.ref,
      integrationType: 'AWS_PROXY',
      integrationUri: made.lambda.functionArn,
      payloadFormatVersion: '2.0',
      responseParameters: { ...RESTORE_BEARER, ...(takesPayments && RESTORE_CHALLENGE) },
    });
    this.integrations.set(area, integration);
    made.lambda.addPermission('Gateway', {
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: Stack.of(this).formatArn({ service: 'execute-api', resource: this.api.ref, resourceName: '*/*' }),
    });
  }

  /** Areas are built one after another; rows of one that has no function yet reach `$default`. */
  private route(routeKey: string, area: string): void {
    const integration = this.integrations.get(area);
    if (!integration) return;
    const route = new CfnRoute(this, `Route ${routeKey.replaceAll('/', '|')}`, {
      apiId: this.api.ref,
      routeKey,
      authorizationType: 'NONE',
      target: `integrations/${integration.ref}`,
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The function authenticates: it knows API keys, session tokens and payment credentials, and public rows',
    });
  }

  private tellMissing(rows: readonly GatewayRow[]): void {
    for (const area of new Set([...rows.map((row) => row.area), DEFAULT_AREA])) {
      if (this.integrations.has(area)) continue;
      Validations.of(this).addWarning(`no-function-${area}`, `functions/${area}/http.ts is missing, its routes are not served`);
    }
  }

  private makeStage(config: Config): void {
    const log = new LogGroup(this, 'AccessLog', {
      retention: config.logRetentionDays as RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new CfnStage(this, 'Stage', {
      apiId: this.api.ref,
      stageName: '$default',
      autoDeploy: true,
      defaultRouteSettings: THROTTLING,
      accessLogSettings: { destinationArn: log.logGroupArn, format: ACCESS_LOG_FORMAT },
    });
  }
}
