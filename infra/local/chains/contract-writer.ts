// Sends the transactions that set a bare chain up, from the account that anvil holds the key of.
import { setTimeout as wait } from 'node:timers/promises';
import type { Abi, Address, Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';
import type { Rpc } from './rpc.ts';

const POLL_MS = 5;
const MINED_MS_MAX = 10_000;

/** Writes to and reads from the contracts of one chain; functions are named by their Solidity signature. */
export class ContractWriter {
  readonly rpc: Rpc;
  readonly from: Address;
  readonly #sent: { readonly what: string; readonly hash: unknown }[] = [];

  constructor(rpc: Rpc, from: Address) {
    this.rpc = rpc;
    this.from = from;
  }

  /** Answers a writer for the account of a node that was started bare. */
  static async at(rpc: Rpc): Promise<ContractWriter> {
    const [account] = (await rpc('eth_accounts')) as readonly Address[];
    if (account === undefined) throw new Error('the chain has no account of its own');
    return new ContractWriter(rpc, account);
  }

  /** Puts code at an address, as if it had been deployed there. */
  async place(address: Address, code: Hex): Promise<void> {
    await this.rpc('anvil_setCode', address, code);
  }

  /** Sends one call; `settle` tells whether it went through. */
  async send(to: Address, signature: string, ...values: readonly unknown[]): Promise<void> {
    const { data } = encode(signature, values);
    this.#sent.push({ what: signature, hash: await this.rpc('eth_sendTransaction', { from: this.from, to, data }) });
  }

  /** Reads from a contract at the newest block. */
  async read(to: Address, signature: string, ...values: readonly unknown[]): Promise<unknown> {
    const { abi, data } = encode(signature, values);
    const result = (await this.rpc('eth_call', { to, data }, 'latest')) as Hex;
    return decodeFunctionResult({ abi, data: result });
  }

  /** Waits until everything sent is mined. Throws the signature of what failed. */
  async settle(): Promise<void> {
    for (const { what, hash } of this.#sent.splice(0)) {
      const receipt = await this.#receiptOf(hash);
      if (receipt.status !== '0x1') throw new Error(`setting up the chain failed at ${what}`);
    }
  }

  async #receiptOf(hash: unknown): Promise<{ readonly status: string }> {
    for (const deadline = performance.now() + MINED_MS_MAX; performance.now() < deadline; await wait(POLL_MS)) {
      const receipt = (await this.rpc('eth_getTransactionReceipt', hash)) as { readonly status: string } | null;
      if (receipt !== null) return receipt;
    }
    throw new Error('setting up the chain: a transaction was not mined');
  }
}

/** Gives `account` a native balance of `ether`. */
export async function giveEther(rpc: Rpc, account: Address, ether: bigint): Promise<void> {
  await rpc('anvil_setBalance', account, numberToHex(ether * 10n ** 18n));
}

function encode(signature: string, values: readonly unknown[]): { abi: Abi; data: Hex } {
  const abi = parseAbi([signature]) as Abi;
  return { abi, data: encodeFunctionData({ abi, args: values }) };
}
