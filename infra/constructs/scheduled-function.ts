// A function that runs at a steady rate. It is not retried: its next run does what this one left, and every run is idempotent.
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { resourceNames } from '#infra/config.ts';
import type { ScheduleSource } from '#infra/event-sources.ts';
import type { FunctionEntry } from '#infra/inventory.ts';
import { AreaFunction } from './area-function.ts';
import type { SharedResources } from './shared-resources.ts';

/** Makes the function and the rule that runs it. */
export function scheduledFunction(scope: Construct, entry: FunctionEntry, source: ScheduleSource, shared: SharedResources): AreaFunction {
  const made = new AreaFunction(scope, entry, shared);
  const rule = new Rule(made, 'Schedule', {
    ruleName: `${resourceNames(shared.config).prefix}-${entry.name}`,
    schedule: Schedule.rate(Duration.minutes(source.everyMinutes)),
  });
  made.lambda.configureAsyncInvoke({ retryAttempts: 0 });
  rule.addTarget(
    new LambdaTarget(made.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(Math.max(1, Math.min(source.everyMinutes, 60))) }),
  );
  return made;
}
