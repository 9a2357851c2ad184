import type { Logger } from '../../machinery/logger.ts';
import { authenticatedGroup } from '../../machinery/user-info.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import { jitterFactor, type LeaderElectionConfig, LeaderElector } from '../../reconcile/leader-election/leader-elector.ts';
import { LeaseLock, leases } from '../../reconcile/leader-election/lease-lock.ts';
import type { Leadership, Writer } from '../../resources/rest.ts';
import type { ResourceStores } from '../../resources/stores.ts';

/**
 * The name of a lease and its holder. Kubernetes' own kube-controller-manager takes the first where a server runs none of its
 * controllers.
 */
export type LeaderComponent = 'kube-controller-manager' | 'kubeloom-simulation';

const writerOf = (component: LeaderComponent): Writer => ({
  user: { name: 'system:kube-controller-manager', uid: '', groups: [authenticatedGroup], extra: {} },
  dryRun: false,
  internal: true,
  fieldManager: component,
  warn: () => undefined,
});

/**
 * Reads the options of leader election. Returns undefined if it is disabled.
 *
 * @throws OptionError
 */
export function leaderElectionConfig({
  leaderElect = true,
  leaderElectLeaseDuration: leaseDuration = 15_000,
  leaderElectRenewDeadline: renewDeadline = 10_000,
  leaderElectRetryPeriod: retryPeriod = 2000,
}: ServerOptions): LeaderElectionConfig | undefined {
  if (!leaderElect) return undefined;
  if (leaseDuration <= renewDeadline) throw new OptionError('leaseDuration must be greater than renewDeadline');
  if (renewDeadline <= retryPeriod * jitterFactor) {
    throw new OptionError('renewDeadline must be greater than retryPeriod*JitterFactor');
  }
  if (retryPeriod <= 0) throw new OptionError('retryPeriod must be greater than zero');
  return { leaseDuration, renewDeadline, retryPeriod };
}

export interface LeaderElectionCallbacks {
  onStartedLeading(): void;
  onStoppedLeading(): Promise<void>;
}

/** Reports whether this server runs the controllers. It does until an election decides. */
export class ServerLeadership implements Leadership {
  #election: Leadership | undefined;

  get isLeading(): boolean {
    return this.#election?.isLeading ?? true;
  }

  /** Lets an election decide from now on. */
  electedBy(election: Leadership): void {
    this.#election = election;
  }
}

/** Returns the election of the server that runs the controllers; undefined if this server does not serve leases. */
export function leaderElector(
  config: LeaderElectionConfig,
  component: LeaderComponent,
  { stores, logger }: { readonly stores: ResourceStores; readonly logger: Logger },
  callbacks: LeaderElectionCallbacks,
): LeaderElector | undefined {
  if (!stores.serves('', 'v1', 'namespaces')) return undefined;
  if (!stores.serves(leases.group, leases.version, leases.resource)) return undefined;
  const identity = `${stores.hostname}_${stores.random.uuid('leader-election', component)}`;
  const lock = new LeaseLock({ stores, namespace: 'kube-system', name: component, identity, component, writer: writerOf(component) });
  return new LeaderElector({
    ...config,
    ...callbacks,
    lock,
    clock: stores.clock,
    random: stores.random,
    isAlone: !stores.isShared,
    report: (err) => logger.warn({ err, lease: component }, 'the lease of the leader could not be written'),
  });
}
