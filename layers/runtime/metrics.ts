// Counters for the operator, in CloudWatch's embedded format: a log line that becomes a metric, without a call.

const NAMESPACE = 'AgentEmail';

/** Counts one event by name and reason. */
export const countMetric = (name: string, reason: string): void => {
  const entry = {
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [['stage'], ['stage', 'reason']], Metrics: [{ Name: name, Unit: 'Count' }] }],
    },
    stage: process.env['STAGE'] ?? 'local',
    reason,
    [name]: 1,
  };
  process.stdout.write(`${JSON.stringify(entry)}\n`);
};
