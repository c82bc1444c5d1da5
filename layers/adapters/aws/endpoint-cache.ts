// Stands in for `@aws-sdk/endpoint-cache` under the DynamoDB client in bundles: endpoint discovery is off unless asked
// for, so the client only ever makes one of these and never fills it.

/** An endpoint cache that is always empty. */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
  get(): undefined {
    return undefined;
  }
  set(): void {}
  delete(): void {}
  has(): boolean {
    return false;
  }
  clear(): void {}
}
