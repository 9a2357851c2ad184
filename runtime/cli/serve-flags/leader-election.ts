import { boolean, duration } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** (kube-controller-manager: component-base config/options/leaderelectionconfig.go) */
export const leaderElectionFlags: readonly ServeFlag[] = [
  {
    name: 'leader-elect',
    option: 'leaderElect',
    value: boolean(true),
    about: 'Run the controllers on one of the servers that share a store: the one that holds a lease.',
  },
  {
    name: 'leader-elect-lease-duration',
    option: 'leaderElectLeaseDuration',
    value: duration('15s'),
    about: 'How long others wait after the last renewal that they have seen before they take the lease over.',
  },
  {
    name: 'leader-elect-renew-deadline',
    option: 'leaderElectRenewDeadline',
    value: duration('10s'),
    about: 'How long the leader tries to renew its lease before it stops its controllers. Less than the lease duration.',
  },
  {
    name: 'leader-elect-retry-period',
    option: 'leaderElectRetryPeriod',
    value: duration('2s'),
    about: 'How long servers wait between two tries to acquire or to renew the lease.',
  },
];
