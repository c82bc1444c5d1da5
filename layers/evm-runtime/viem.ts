// The parts of viem that the adapters use. Bundled once into a layer and loaded on first use:
// import it only by `await import('#evm-runtime/viem.ts')`.
export {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  RpcRequestError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  encodeFunctionData,
  fallback,
  getAddress,
  hashMessage,
  http,
  isAddressEqual,
  labelhash,
  namehash,
  parseAbi,
  parseErc6492Signature,
  parseEventLogs,
  parseUnits,
  recoverAddress,
} from 'viem';
export { privateKeyToAccount } from 'viem/accounts';
