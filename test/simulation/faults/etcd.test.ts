import { describe } from '@jest/globals';
import { missingEtcd } from '../../support/etcd.ts';
import { testUnless } from '../../support/skipping.ts';
import { faultRounds } from './fault-rounds.ts';

describe('what clients are told is true, whatever fails', () => {
  testUnless(missingEtcd)('of a server over etcd', faultRounds('etcd', 1, 10), 3_600_000);
});
