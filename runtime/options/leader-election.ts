/** On which of several servers the controllers run. (component-base config/options/leaderelectionconfig.go) */
export interface LeaderElectionOptions {
  /** Whether only the holder of the Lease `kube-controller-manager` runs the controllers. Default: true. */
  readonly leaderElect?: boolean | undefined;
  /** Milliseconds that others wait after the leader's last renewal before they take over. Default: 15 s. */
  readonly leaderElectLeaseDuration?: number | undefined;
  /** Milliseconds for which the leader tries to renew its lease before it stops its controllers. Default: 10 s. */
  readonly leaderElectRenewDeadline?: number | undefined;
  /** Milliseconds between two tries. Default: 2 s. */
  readonly leaderElectRetryPeriod?: number | undefined;
}
