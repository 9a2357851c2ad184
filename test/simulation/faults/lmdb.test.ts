import { describe, test } from '@jest/globals';
import { testUnless } from '../../support/skipping.ts';
import { missingSmallDisk } from '../../support/small-disk.ts';
import { CrashRound } from './crash-round.ts';
import { faultRounds, timeoutOf } from './fault-rounds.ts';

describe('what clients are told is true, whatever fails, of a server', () => {
  test('over memory', faultRounds(5, { engine: 'memory' }), timeoutOf(5));
  test('over lmdb', faultRounds(10, { engine: 'lmdb' }), timeoutOf(10));
  test('killed under 64 writers, over lmdb', faultRounds(3, { engine: 'lmdb' }, CrashRound), timeoutOf(3));
  testUnless(missingSmallDisk)('whose disk is full, over lmdb', faultRounds(5, { engine: 'lmdb', isOnSmallDisk: true }), timeoutOf(5));
});
