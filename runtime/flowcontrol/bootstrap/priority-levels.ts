import {
  autoUpdateAnnotation,
  catchAllName,
  exemptName,
  flowControlGroup,
  type PriorityLevelConfiguration,
  type PriorityLevelConfigurationSpec,
} from '../objects.ts';

// the values of apiserver pkg/apis/flowcontrol/bootstrap/default.go, with defaults

export const mandatoryPriorityLevels: readonly PriorityLevelConfiguration[] = [
  level(catchAllName, {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
  }),
  level(exemptName, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
];

export const suggestedPriorityLevels: readonly PriorityLevelConfiguration[] = [
  queuedLevel('system', { shares: 30, lendablePercent: 33, queues: 64, handSize: 6 }),
  queuedLevel('node-high', { shares: 40, lendablePercent: 25, queues: 64, handSize: 6 }),
  queuedLevel('leader-election', { shares: 10, lendablePercent: 0, queues: 16, handSize: 4 }),
  queuedLevel('workload-high', { shares: 40, lendablePercent: 50, queues: 128, handSize: 6 }),
  queuedLevel('workload-low', { shares: 100, lendablePercent: 90, queues: 128, handSize: 6 }),
  queuedLevel('global-default', { shares: 20, lendablePercent: 50, queues: 128, handSize: 6 }),
];

interface QueuedLevelOptions {
  readonly shares: number;
  readonly lendablePercent: number;
  readonly queues: number;
  readonly handSize: number;
}

function queuedLevel(name: string, { shares, lendablePercent, queues, handSize }: QueuedLevelOptions): PriorityLevelConfiguration {
  const queuing = { queues, handSize, queueLengthLimit: 50 };
  return level(name, {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: 'Queue', queuing },
      lendablePercent,
    },
  });
}

function level(name: string, spec: PriorityLevelConfigurationSpec): PriorityLevelConfiguration {
  return {
    apiVersion: `${flowControlGroup}/v1`,
    kind: 'PriorityLevelConfiguration',
    metadata: { name, annotations: { [autoUpdateAnnotation]: 'true' } },
    spec,
  };
}
