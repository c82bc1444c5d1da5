// The server side of mppx with what it needs of its chain. It is by far the largest library here (2 MB), so it is bundled
// once into a layer and loaded only by calls that pay: import it only by `await import('#evm-runtime/mppx.ts')`.
export { Challenge, Credential, Receipt } from 'mppx';
export { Mppx, tempo } from 'mppx/server';
export { createClient, fallback, fromRlp, http, keccak256, recoverAddress, toRlp } from 'viem';
export { getTransactionReceipt, verifyHash } from 'viem/actions';
export { tempo as tempoChain } from 'viem/chains';
