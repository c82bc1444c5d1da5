// Tells "the contract said no" from "nobody answered". The library's own error classes do not: it calls any internal error
// of a node a revert, and then an outage would read as "not owned".

const CODE_EXECUTION_REVERTED = 3;
/** How nodes word an execution that ended in the contract. */
const EXECUTION_FAILED = /revert|out ?of ?gas|invalid ?(?:fe ?)?opcode|EVM error|stack (?:over|under)flow|bad jump/i;

/** True when a node executed the call and the contract ended it (revert, out of gas, bad code); everything else is a call that was not answered. */
export const isRevert = async (error: unknown): Promise<boolean> => {
  const { BaseError, RpcRequestError } = await import('#evm-runtime/viem.ts');
  if (!(error instanceof BaseError)) return false;
  const answer = error.walk((cause) => cause instanceof RpcRequestError);
  if (!(answer instanceof RpcRequestError)) return false;
  return answer.code === CODE_EXECUTION_REVERTED || EXECUTION_FAILED.test(answer.details);
};

/** True when the called address holds no code: the contract does not exist on that chain. */
export const isMissingContract = async (error: unknown): Promise<boolean> => {
  const { BaseError, ContractFunctionZeroDataError } = await import('#evm-runtime/viem.ts');
  return error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;
};
