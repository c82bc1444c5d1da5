// The server side of mppx. It is by far the largest library here (2 MB), so it is bundled once into a layer and loaded
// only by calls that pay: import it only by `await import('#evm-runtime/mppx.ts')`.
export { Mppx, Store, tempo } from 'mppx/server';
