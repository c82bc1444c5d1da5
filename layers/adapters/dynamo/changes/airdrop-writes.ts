// Writes of wave claims: the mark that makes a claim the only one, and its line on the leaderboard.
import { fail } from '#domain/errors.ts';
import type { Change } from '#domain/ports/changes.ts';
import { keys } from '../keys.ts';
import type { Write } from '../transact.ts';

const VERSION = 1;

export const waveClaimWrites = (TableName: string, { claim }: Extract<Change, { kind: 'wave.claim' }>): Write[] => {
  const { waveId, wallet, handle, amount, at } = claim;
  return [
    {
      action: {
        Put: {
          TableName,
          Item: { ...keys.waveClaim(wallet, waveId), type: 'wave-claim', version: VERSION, am: amount, at },
          ConditionExpression: 'attribute_not_exists(PK)',
        },
      },
      refused: () => fail('already_claimed'),
    },
    {
      action: {
        Put: { TableName, Item: { ...keys.waveRank(claim), type: 'wave-rank', version: VERSION, w: wallet, hdl: handle, am: amount, at } },
      },
      refused: () => fail('try_again'),
    },
  ];
};
