import type { ServicesConfig } from '../kinds/core/service/services-config.ts';
import { ineffectiveGates } from '../machinery/feature-gates/feature-gates.ts';
import { createLogger, type Logger } from '../machinery/logger.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { ControllerName } from '../reconcile/controller-selection.ts';
import type { LeaderElectionConfig } from '../reconcile/leader-election/leader-elector.ts';
import { type AdmissionPlugins, admissionPlugins } from './admission.ts';
import { leaderElectionConfig } from './controllers/leader-election.ts';
import { checkPodPrograms } from './controllers/pod-programs.ts';
import { parseControllers } from './controllers/selection.ts';
import { checkSimulation } from './controllers/simulation.ts';
import { type ServedGroups, servedGroups } from './groups/served-groups.ts';
import { type ServerPlace, serverPlace } from './server-place.ts';
import { parseServicesConfig } from './services-config.ts';
import { type TimeAndChance, timeAndChance } from './test-kit/determinism.ts';

/** A server's configuration, derived from its options alone. Nothing is open yet. (server.CompletedConfig) */
export interface CompletedConfig extends TimeAndChance, ServedGroups {
  readonly options: ServerOptions;
  readonly place: ServerPlace;
  readonly logger: Logger;
  readonly controllers: ReadonlySet<ControllerName>;
  /** Undefined if this server runs its controllers regardless of other servers. */
  readonly leaderElection: LeaderElectionConfig | undefined;
  readonly admission: AdmissionPlugins;
  readonly services: ServicesConfig;
  /** False for a fork without a port, which only this process can reach. */
  readonly listens: boolean;
}

/** @throws OptionError for an invalid option */
export async function completeConfig(given: ServerOptions): Promise<CompletedConfig> {
  // worker threads finish in no defined order, and their webhooks do not reach pods
  const staysHere = given.seed !== undefined || given.pods?.programs !== undefined;
  const options = staysHere ? { ...given, workerThreshold: Number.POSITIVE_INFINITY } : given;
  const { controllers: named = options.replay && [''] } = options;
  const controllers = parseControllers(named, Boolean(options.simulate));
  const leaderElection = options.replay === undefined ? leaderElectionConfig(options) : undefined;
  const services = parseServicesConfig(options);
  await checkSimulation(options);
  await checkPodPrograms(options);
  const { clock, ...chance } = await timeAndChance(options);
  const { logLevel = 'silent' } = options;
  const [logger, admission, served] = await Promise.all([createLogger(logLevel), admissionPlugins(options), servedGroups(options, clock)]);
  for (const gate of ineffectiveGates(served.features, served.minor)) logger.warn({ gate }, 'a feature gate changes nothing here');
  return {
    ...chance,
    ...served,
    options,
    clock,
    logger,
    controllers,
    leaderElection,
    services,
    admission,
    place: serverPlace(options),
    listens: true,
  };
}
