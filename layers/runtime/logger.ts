// The structured log. What is logged is chosen field by field: never bodies, tokens, signatures or addresses of people.
import { Logger } from '@aws-lambda-powertools/logger';

export const logger = new Logger({ serviceName: process.env['AWS_LAMBDA_FUNCTION_NAME'] ?? 'agent-email' });

const causesOf = (error: unknown): string[] => {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 5; at = at.cause) texts.push(`${at.name}: ${at.message}`);
  return texts;
};

/** Logs a fault of ours with its chain of causes and the stack of the first. */
export const logFault = (message: string, error: unknown, fields: Record<string, string | number | boolean> = {}): void => {
  logger.error(message, { ...fields, causes: causesOf(error), stack: error instanceof Error ? error.stack : String(error) });
};
