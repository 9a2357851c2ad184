import { describe, test } from '@jest/globals';
import { testUnless } from '../../support/skipping.ts';
import { missingSmallDisk } from '../../support/small-disk.ts';
import { CrashRound } from './crash-round.ts';
import { faultRounds } from './fault-rounds.ts';

const timeout = 3_600_000;

describe('what clients are told is true, whatever fails, of a server', () => {
  test('over memory', faultRounds(5, { engine: 'memory' }), timeout);
  test('over lmdb', faultRounds(10, { engine: 'lmdb' }), timeout);
  test('killed under 64 writers, over lmdb', faultRounds(3, { engine: 'lmdb' }, CrashRound), timeout);
  testUnless(missingSmallDisk)('whose disk is full, over lmdb', faultRounds(5, { engine: 'lmdb', isOnSmallDisk: true }), timeout);
});
