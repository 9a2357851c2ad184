import type { HealthCheck } from '../../machinery/health-check.ts';

/** What the checks look at. */
export interface HealthSources {
  /** Throw or reject if the store cannot be read. */
  readonly checkStoreHealth: HealthCheck['check'];
  readonly checkStoreReadiness: HealthCheck['check'];
  /** The stores of some resources only. (--etcd-servers-overrides) */
  readonly storeOverrides: readonly Record<'checkHealth' | 'checkReadiness', HealthCheck['check']>[];
  readonly isShuttingDown: () => boolean;
  /** The resources of another server that are not known yet. */
  readonly unsyncedInformers: () => readonly string[];
  /** Of /healthz and /readyz, but not of /livez: a restart would not help. (addHealthChecksWithoutLivez) */
  readonly withoutLivez: readonly HealthCheck[];
  /** The steps of the start, under the names that upstream's post-start hooks have, and what finishes them. */
  readonly startSteps: readonly StartStep[];
}

export interface StartStep {
  readonly name: string;
  /** Whether upstream runs it after the start, so that its check is named after that. Default: true. */
  readonly isHook?: boolean;
  /** Absent for what is done before the port opens. */
  readonly finished?: Promise<unknown> | undefined;
}

export interface HealthChecks {
  /** Of /healthz. */
  readonly health: readonly HealthCheck[];
  /** Of /livez. */
  readonly liveness: readonly HealthCheck[];
  /** Of /readyz. */
  readonly readiness: readonly HealthCheck[];
}

/**
 * The checks under the names and in the order of kube-apiserver. The store has the names of etcd, which clients ask for and
 * exclude. (pkg/server/config.go, pkg/server/options/etcd.go)
 */
export function healthChecks(sources: HealthSources): HealthChecks {
  const { checkStoreHealth, checkStoreReadiness, storeOverrides, isShuttingDown, unsyncedInformers, withoutLivez, startSteps } = sources;
  const passes = (): void => undefined;
  const checkShutdown = (): void => {
    if (isShuttingDown()) throw new Error('process is shutting down');
  };
  // the server's own caches are filled before they are first read
  const checkInformers = (): void => {
    const unsynced = unsyncedInformers();
    if (unsynced.length > 0) throw new Error(`${unsynced.length} informers not started yet: [${unsynced.join(' ')}]`);
  };
  const common: readonly HealthCheck[] = [
    { name: 'ping', check: passes },
    // lines are logged synchronously: a log that blocks keeps this check from being answered
    { name: 'log', check: passes },
    { name: 'etcd', group: 'etcd', check: checkStoreHealth },
    ...storeOverrides.map(({ checkHealth: check }, at) => ({ name: `etcd-override-${at}`, group: 'etcd', check })),
  ];
  const hooks = startSteps.map(hookCheck);
  return {
    health: [...common, ...withoutLivez, ...hooks],
    liveness: [...common, ...hooks],
    readiness: [
      ...common,
      { name: 'etcd-readiness', group: 'etcd-readiness', check: checkStoreReadiness },
      ...storeOverrides.map(({ checkReadiness: check }, at) => {
        return { name: `etcd-override-readiness-${at}`, group: 'etcd-readiness', check };
      }),
      ...withoutLivez,
      { name: 'informer-sync', check: checkInformers },
      ...hooks,
      { name: 'shutdown', check: checkShutdown },
    ],
  };
}

/** A failed step ends the server, so it only matters whether the step is finished. */
function hookCheck({ name, finished, isHook = true }: StartStep): HealthCheck {
  let isFinished = finished === undefined;
  finished?.then(
    () => {
      isFinished = true;
    },
    () => undefined,
  );
  return {
    name: isHook ? `poststarthook/${name}` : name,
    check() {
      if (!isFinished) throw new Error('not finished');
    },
  };
}
