import { describe, test } from '@jest/globals';
import { faultRounds } from './fault-rounds.ts';

const timeout = 3_600_000;

describe('what clients are told is true, whatever fails, of a server', () => {
  test('over memory', faultRounds(5, { engine: 'memory' }), timeout);
  test('over lmdb', faultRounds(10, { engine: 'lmdb' }), timeout);
});
