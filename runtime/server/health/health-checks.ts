import type { HealthCheck } from '../../machinery/health-check.ts';

/** The inputs of the checks. */
export interface HealthSources {
  /** Throws or rejects if the store cannot be read. */
  readonly checkStoreHealth: HealthCheck['check'];
  readonly checkStoreReadiness: HealthCheck['check'];
  /** The stores of single resources. (--etcd-servers-overrides) */
  readonly storeOverrides: readonly Record<'checkHealth' | 'checkReadiness', HealthCheck['check']>[];
  readonly isShuttingDown: () => boolean;
  /** Returns the resources of the delegate that are not known yet. */
  readonly unsyncedInformers: () => readonly string[];
  /**
   * Checks of /healthz and /readyz, but not of /livez, because a restart would not help. (addHealthChecksWithoutLivez)
   */
  readonly withoutLivez: readonly HealthCheck[];
  /** The steps of the start, under the names of upstream's post-start hooks. */
  readonly startSteps: readonly StartStep[];
}

export interface StartStep {
  readonly name: string;
  /** Whether upstream runs the step as a post-start hook, which prefixes the name of its check. Default: true. */
  readonly isHook?: boolean;
  /** Resolves when the step is finished. Absent for steps that finish before the port opens. */
  readonly finished?: Promise<unknown> | undefined;
}

export interface HealthChecks {
  /** Checks of /healthz. */
  readonly health: readonly HealthCheck[];
  /** Checks of /livez. */
  readonly liveness: readonly HealthCheck[];
  /** Checks of /readyz. */
  readonly readiness: readonly HealthCheck[];
}

/**
 * Returns checks with kube-apiserver's names and order. The store's checks are named etcd, because clients request and
 * exclude that name. (pkg/server/config.go, pkg/server/options/etcd.go)
 */
export function healthChecks(sources: HealthSources): HealthChecks {
  const { checkStoreHealth, checkStoreReadiness, storeOverrides, isShuttingDown, unsyncedInformers, withoutLivez, startSteps } = sources;
  const passes = (): void => undefined;
  const checkShutdown = (): void => {
    if (isShuttingDown()) throw new Error('process is shutting down');
  };
  // the server's own caches are filled before the first read
  const checkInformers = (): void => {
    const unsynced = unsyncedInformers();
    if (unsynced.length > 0) throw new Error(`${unsynced.length} informers not started yet: [${unsynced.join(' ')}]`);
  };
  const common: readonly HealthCheck[] = [
    { name: 'ping', check: passes },
    // logging is synchronous: a blocked log also blocks this check
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

/** Only checks whether the step is finished, because a failed step ends the server. */
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
