// Compiles the Solidity replicas to contracts.json, which is committed so that nobody needs the compiler to start the
// stack. Run it (`node infra/local/chains/compile.ts`) after a change in contracts/.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

/** One contract as it is placed on a chain: the code that runs, and its interface. */
export interface CompiledContract {
  readonly abi: Abi;
  readonly code: Hex;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>;
}

interface CompilerContract {
  readonly abi: Abi;
  readonly evm: { readonly deployedBytecode: { readonly object: string } };
}

const SOURCES = join(import.meta.dirname, 'contracts');
/** Where the compiled contracts are committed. */
export const COMPILED_FILE = join(import.meta.dirname, 'contracts.json');

// No metadata in the code: its hash would change with every comment.
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
};

/** Compiles every source and answers the text of contracts.json. Throws the compiler's messages, warnings too. */
export async function compileContracts(): Promise<string> {
  const { default: solc } = (await import('solc')) as unknown as { default: { compile(input: string): string } };
  const output = JSON.parse(solc.compile(JSON.stringify(readInput()))) as CompilerOutput;
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  return format(output);
}

function readInput(): unknown {
  const files = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.sol'))
    .sort();
  const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(SOURCES, file), 'utf8') }]));
  return { language: 'Solidity', sources, settings: SETTINGS };
}

function format(output: CompilerOutput): string {
  const contracts = Object.values(output.contracts)
    .flatMap((file) => Object.entries(file))
    // An interface has no code and is never placed.
    .filter(([, contract]) => contract.evm.deployedBytecode.object !== '')
    .map(([name, contract]) => `  ${JSON.stringify(name)}: ${JSON.stringify(toCompiled(contract))}`);
  return `{\n${contracts.join(',\n')}\n}\n`;
}

const toCompiled = (contract: CompilerContract): CompiledContract => ({
  abi: contract.abi,
  code: `0x${contract.evm.deployedBytecode.object}`,
});

if (import.meta.main) writeFileSync(COMPILED_FILE, await compileContracts());
