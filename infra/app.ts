// What `cdk synth` and `cdk deploy` run (cdk.json): settings from the context, bundles, stacks, security rules.
import { isAddress } from 'viem';
import { buildBundles } from './build.ts';
import { BundleError } from './bundle.ts';
import { ConfigError, readConfig, refuseToDeploy } from './config.ts';
import { addStacks, checkSecurity, makeApp } from './synthesize.ts';

const isForPeople = (error: unknown): error is Error => error instanceof ConfigError || error instanceof BundleError;

async function main(): Promise<void> {
  const app = makeApp();
  const config = readConfig((name) => app.node.tryGetContext(name));
  refuseToDeploy(config, {
    contextNames: Object.keys(app.node.getAllContext() as object),
    account: process.env['CDK_DEFAULT_ACCOUNT'],
    isAddress,
  });
  const bundles = await buildBundles();
  addStacks(app, config, bundles);
  checkSecurity(app);
  app.synth();
}

await main().catch((error: unknown) => {
  process.stderr.write(`${isForPeople(error) ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exitCode = 1;
});
