import { boolean, duration } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

/** (kube-controller-manager: component-base config/options/leaderelectionconfig.go) */
export const leaderElectionOptions: readonly OptionRow[] = [
  {
    option: 'leaderElect',
    flag: 'leader-elect',
    value: boolean(true),
    about: 'Among servers that share a store, run the controllers only on the holder of a Lease.',
    doc: 'Whether only the holder of the Lease `kube-controller-manager` runs the controllers. Default: true.',
  },
  {
    option: 'leaderElectLeaseDuration',
    flag: 'leader-elect-lease-duration',
    value: duration('15s'),
    about: 'How long other servers wait after the last renewal that they have seen before they take over the lease.',
    doc: "Milliseconds after the leader's last renewal until another server takes over. Default: 15 s.",
  },
  {
    option: 'leaderElectRenewDeadline',
    flag: 'leader-elect-renew-deadline',
    value: duration('10s'),
    about: 'How long the leader tries to renew its lease before it stops its controllers. Less than the lease duration.',
    doc: 'Milliseconds for which the leader retries a renewal before it stops its controllers. Default: 10 s.',
  },
  {
    option: 'leaderElectRetryPeriod',
    flag: 'leader-elect-retry-period',
    value: duration('2s'),
    about: 'How long servers wait between two tries to acquire or to renew the lease.',
    doc: 'Milliseconds between two attempts. Default: 2 s.',
  },
];
