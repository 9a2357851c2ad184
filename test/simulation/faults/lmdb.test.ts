import { describe, test } from '@jest/globals';
import { faultRounds } from './fault-rounds.ts';

describe('what clients are told is true, whatever fails, of a server', () => {
  test('over memory', faultRounds('memory', 1, 5), 3_600_000);
  test('over lmdb', faultRounds('lmdb', 1, 15), 3_600_000);
});
