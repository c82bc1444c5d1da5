// The request side: one function per area and the HTTP API in front of them.
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AreaFunction } from '#infra/constructs/area-function.ts';
import { type GatewayRow, HttpGateway } from '#infra/constructs/http-gateway.ts';
import type { SharedResources } from '#infra/constructs/shared-resources.ts';

export interface ApiStackProps extends StackProps {
  readonly shared: SharedResources;
  readonly rows: readonly GatewayRow[];
}

/** Area functions and the gateway. */
export class ApiStack extends Stack {
  readonly gateway: HttpGateway;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { shared } = props;
    const functions = shared.bundles.functions
      .filter((entry) => entry.kind === 'http')
      .map((entry) => new AreaFunction(this, entry, shared));
    this.gateway = new HttpGateway(this, 'Gateway', {
      config: shared.config,
      rows: props.rows,
      functions: new Map(functions.map((made) => [made.entry.area, made])),
    });
    new CfnOutput(this, 'ApiUrl', { value: this.gateway.api.attrApiEndpoint, description: 'Address of the API' });
  }
}
