// A process of its own that runs the chains in a given folder, to be killed: prints one line of JSON when they are up.
import { startChains } from '#infra/local/chains/start-chains.ts';
import { FREE_PORTS } from './chains-fixture.ts';

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: run-chains.ts <data folder>');
const chains = await startChains({ dataDir, ports: FREE_PORTS, clock: { nowMs: () => Date.now() } });
process.stdout.write(`${JSON.stringify({ ...chains, pids: chains.pids() })}\n`);
