import { catchAllName, exemptName, flowControlGroup, type PriorityLevel, type PriorityLevelSpec } from '../objects.ts';
import { autoUpdateAnnotation } from './auto-update.ts';

/** The values of apiserver pkg/apis/flowcontrol/bootstrap/default.go, defaults filled in. */

export const mandatoryPriorityLevels: readonly PriorityLevel[] = [
  level(catchAllName, {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  }),
  level(exemptName, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
];

export const suggestedPriorityLevels: readonly PriorityLevel[] = [
  queued('system', { shares: 30, lendable: 33, queues: 64, handSize: 6 }),
  queued('node-high', { shares: 40, lendable: 25, queues: 64, handSize: 6 }),
  queued('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
  queued('workload-high', { shares: 40, lendable: 50, queues: 128, handSize: 6 }),
  queued('workload-low', { shares: 100, lendable: 90, queues: 128, handSize: 6 }),
  queued('global-default', { shares: 20, lendable: 50, queues: 128, handSize: 6 }),
];

interface Queued {
  readonly shares: number;
  readonly lendable: number;
  readonly queues: number;
  readonly handSize: number;
}

function queued(name: string, { shares, lendable, queues, handSize }: Queued): PriorityLevel {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  return level(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: 'Queue', queuing },
      lendablePercent: lendable,
    },
  });
}

function level(name: string, spec: PriorityLevelSpec): PriorityLevel {
  return {
    apiVersion: `${flowControlGroup}/v1`,
    kind: 'PriorityLevelConfiguration',
    metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } },
    spec,
  };
}
