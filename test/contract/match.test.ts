// Which rows serve a path, by method.
import { describe, expect, it } from 'vitest';
import { matchPath } from '#contract/match.ts';
import { ROUTES } from '#contract/routes.ts';

const operations = (path: string): Record<string, string> =>
  Object.fromEntries([...matchPath(ROUTES, path)].map(([method, row]) => [method, row.operationId]));

describe('matchPath', () => {
  it('default: gives the row of each method', () => {
    expect(operations('/api/inbox/abc')).toStrictEqual({ GET: 'getEmail', DELETE: 'deleteEmail' });
    expect(operations('/api/attention/price/alice/for/bob')).toStrictEqual({ GET: 'getAttentionPriceForSender' });
  });

  it('behavior: a literal segment wins over a parameter, for its method', () => {
    expect(operations('/api/inbox/mark-read')).toStrictEqual({ POST: 'markRead', GET: 'getEmail', DELETE: 'deleteEmail' });
    expect(operations('/api/airdrop/waves')).toStrictEqual({ GET: 'listAirdropWaves' });
  });

  it.each(['/', '/api', '/api/inbox/', '/api/inbox/a/b', '/API/inbox', '/api/nothing'])('error: nothing serves %s', (path) => {
    expect(operations(path)).toStrictEqual({});
  });
});
