// Stands in front of Tempo's node and corrects two checks of it that would turn away every payer who holds USDC.e alone.
// On Tempo a transaction that names no fee token and only calls one TIP-20 token pays its fee in that token. The node
// charges it so as well, but its pool first wants to see the fee in pathUSD, and its simulation in ether.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Address, Hex } from 'viem';
import { type Door, listenOnLoopback } from '../held-port.ts';
import { PATH_USD } from './networks.ts';
import { type Rpc, rpcAt } from './rpc.ts';

export interface TempoGateway {
  readonly url: string;
  close(): Promise<void>;
}

const POOL_REFUSAL = 'insufficient fee token balance';
const SIMULATION_REFUSAL = 'Insufficient funds for gas * price + value';
const SIMULATIONS = ['eth_call', 'eth_estimateGas', 'eth_createAccessList'];
const TOKEN_PREFIX = '0x20c0';
/** Where a TIP-20 token's storage keeps the balances, a mapping by account. */
const BALANCES_SLOT = 9n;
const ENOUGH_FOR_ANY_FEE: Hex = `0x${(10n ** 12n).toString(16).padStart(64, '0')}`;

/** Serves the node at `nodeUrl` on a loopback port, 0 for any free one. */
export async function startTempoGateway(port: Door, nodeUrl: string): Promise<TempoGateway> {
  const relay = new Relay(nodeUrl);
  const server = createServer((request, response) => void answer(relay, request, response));
  return {
    url: `http://127.0.0.1:${await listenOnLoopback(server, port)}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(relay: Relay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const reply = await relay.forward(await buffer(request));
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' }).end(reply);
  } catch {
    // The node is gone or the caller is: what a dead node looks like to a client.
    response.destroy();
  }
}

interface Payer {
  readonly account: Address;
  readonly token: Address;
}

class Relay {
  readonly #nodeUrl: string;
  readonly #rpc: Rpc;
  #lending: Promise<unknown> = Promise.resolve();

  constructor(nodeUrl: string) {
    this.#nodeUrl = nodeUrl;
    this.#rpc = rpcAt(nodeUrl);
  }

  async forward(body: Buffer): Promise<string> {
    const reply = await this.#send(body);
    const isSimulation = reply.includes(SIMULATION_REFUSAL);
    if (!isSimulation && !reply.includes(POOL_REFUSAL)) return reply;
    const call = JSON.parse(body.toString()) as Call;
    const payer = isSimulation ? payerOfSimulation(call) : await payerOfTransaction(call);
    // Who has nothing of the token cannot pay with it: then the refusal stands.
    if (payer === undefined || !(await this.#holds(payer))) return reply;
    if (isSimulation) return this.#send(withoutFees(call));
    // One at a time: two loans to one account would return each other's.
    const second = this.#lending.then(() => this.#sendWithLoan(body, payer.account));
    this.#lending = second.catch(() => undefined);
    return second;
  }

  async #send(body: Buffer): Promise<string> {
    const response = await fetch(this.#nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(body),
    });
    return response.text();
  }

  /** Shows the pool a balance in pathUSD for as long as it looks; the fee itself never comes out of it. */
  async #sendWithLoan(body: Buffer, account: Address): Promise<string> {
    const slot = await balanceSlot(account);
    const former = await this.#rpc('eth_getStorageAt', PATH_USD, slot, 'latest');
    await this.#rpc('anvil_setStorageAt', PATH_USD, slot, ENOUGH_FOR_ANY_FEE);
    try {
      return await this.#send(body);
    } finally {
      await this.#rpc('anvil_setStorageAt', PATH_USD, slot, former);
    }
  }

  async #holds({ account, token }: Payer): Promise<boolean> {
    const slot = await balanceSlot(account);
    return BigInt(String(await this.#rpc('eth_getStorageAt', token, slot, 'latest'))) > 0n;
  }
}

interface Call {
  readonly method?: string;
  readonly params?: readonly unknown[];
}

/** A simulation without fee fields is not charged; what it does with tokens is simulated as before. */
function withoutFees(call: Call): Buffer {
  const [request, ...rest] = call.params ?? [];
  const { maxFeePerGas: _max, maxPriorityFeePerGas: _tip, gasPrice: _price, ...free } = request as Readonly<Record<string, unknown>>;
  return Buffer.from(JSON.stringify({ ...call, params: [free, ...rest] }));
}

interface TransactionRequest {
  readonly from?: Address;
  readonly to?: string;
  readonly feeToken?: Address;
  readonly calls?: readonly { readonly to?: string }[];
}

function payerOfSimulation({ method, params }: Call): Payer | undefined {
  const request = params?.[0] as TransactionRequest | undefined;
  if (!SIMULATIONS.includes(method ?? '') || request?.from === undefined) return undefined;
  const token = request.feeToken ?? inferToken(request.calls ?? [request]);
  return token && { account: request.from, token };
}

/** Who pays the fee of a raw transaction, and in which token by inference; undefined when neither follows from it. */
async function payerOfTransaction({ method, params }: Call): Promise<Payer | undefined> {
  const raw = params?.[0];
  if (!method?.startsWith('eth_sendRawTransaction') || typeof raw !== 'string' || !raw.startsWith('0x76')) return undefined;
  const { Transaction } = await import('viem/tempo');
  const transaction = Transaction.deserialize(raw as `0x76${string}`);
  if (transaction.feeToken || transaction.feePayerSignature || !transaction.from) return undefined;
  const token = inferToken((transaction.calls ?? []).map((inner) => ({ to: inner.to ?? '' })));
  return token && { account: transaction.from, token };
}

/** The one TIP-20 token that all calls go to. */
function inferToken(calls: readonly { readonly to?: string }[]): Address | undefined {
  const targets = new Set(calls.map((call) => call.to?.toLowerCase()));
  const [token] = targets;
  return targets.size === 1 && token?.startsWith(TOKEN_PREFIX) ? (token as Address) : undefined;
}

async function balanceSlot(account: Address): Promise<Hex> {
  const { encodeAbiParameters, keccak256 } = await import('viem/utils');
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BALANCES_SLOT]));
}
