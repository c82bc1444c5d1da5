// Requests of agents as deeds: a client that gets no answer or a passing one sends the same request with the same key.
import type { Random } from '../random.ts';
import { callApi, type Reply, type Request, type World } from '../world/world.ts';
import { again, type Deed, OVER, type Verdict } from './command.ts';

/** Longer than a claim of a dead request is held. */
const LEASE_SECONDS = 61;

const verdictOf = ({ status, body }: Reply): Verdict => {
  if (body['code'] === 'idempotency_in_progress') return again(LEASE_SECONDS);
  return status >= 500 || body['code'] === 'try_again' ? again() : OVER;
};

const short = ({ wallet, method, route, params }: Request): string =>
  `${wallet.slice(0, 6)} ${method} ${route.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '')}`;

/** A request. With `hasKey` it carries an Idempotency-Key and is repeated until it is answered. */
export const requestDeed = (
  world: World,
  random: Random,
  request: Request,
  options: { readonly hasKey: boolean; readonly answered?: (reply: Reply) => void; readonly about?: string },
): Deed => {
  const { hasKey, answered, about = '' } = options;
  const keyed = hasKey ? { ...request, idempotencyKey: random.bytes(8).toString('hex') } : request;
  const label = `${short(request)}${about === '' ? '' : ` (${about})`}`;
  return {
    label,
    isRepeated: hasKey,
    run: async () => {
      const reply = await callApi(world, keyed);
      const code = reply.body['code'];
      world.note(`  ${label} → ${reply.status}${code === undefined ? '' : ` ${String(code)}`}`);
      answered?.(reply);
      return hasKey ? verdictOf(reply) : OVER;
    },
  };
};
