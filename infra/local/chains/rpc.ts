// The few JSON-RPC calls that the stack itself makes to its chains, without a client library: starting up is faster so.

/** Calls one method of one node. Throws on an error reply and when the node cannot be reached. */
export type Rpc = (method: string, ...parameters: readonly unknown[]) => Promise<unknown>;

interface RpcReply {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Answers a caller for the node at `url`. */
export const rpcAt = (url: string): Rpc => {
  return async (method, ...parameters) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters }),
    });
    const reply = (await response.json()) as RpcReply;
    if (reply.error) throw new Error(`${method}: ${reply.error.message} (${reply.error.code})`);
    return reply.result;
  };
};
