// The part of siwe that the adapters use. Bundled once into a layer, with `ethers` replaced by ethers-shim.ts:
// import it only by `await import('#evm-runtime/siwe.ts')`.
export { SiweMessage } from 'siwe';
