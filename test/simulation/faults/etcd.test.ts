import { describe } from '@jest/globals';
import { missingEtcd } from '../../support/etcd.ts';
import { testUnless } from '../../support/skipping.ts';
import { AllocationRound } from './allocation-round.ts';
import { faultRounds, timeoutOf } from './fault-rounds.ts';

describe('what clients are told is true, whatever fails', () => {
  testUnless(missingEtcd)('of a server over etcd', faultRounds(10, { engine: 'etcd' }), timeoutOf(10));
  testUnless(missingEtcd)('of two servers over etcd', faultRounds(20, { engine: 'etcd', servers: 2 }), timeoutOf(20));
  testUnless(missingEtcd)(
    'of addresses, ports and quotas that two servers give, over etcd',
    faultRounds(5, { engine: 'etcd', servers: 2 }, AllocationRound),
    timeoutOf(5),
  );
});
