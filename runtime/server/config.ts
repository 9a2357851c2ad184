import type { ApiMiddleware } from '../http/context.ts';
import type { ServicesConfig } from '../kinds/core/service/services-config.ts';
import type { ApiGroup } from '../machinery/api-group.ts';
import type { Catalog } from '../machinery/catalog.ts';
import type { Clock } from '../machinery/clock.ts';
import type { StartOrder } from '../machinery/event-loop/start-order.ts';
import { type FeatureGates, ineffectiveGates, parseFeatureGates } from '../machinery/feature-gates/feature-gates.ts';
import type { KeySource } from '../machinery/keys.ts';
import { createLogger, type Logger } from '../machinery/logger.ts';
import type { Random } from '../machinery/random.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';
import { type ControllerName, controllerNames, selectControllers } from '../reconcile/controller-selection.ts';
import type { LeaderElectionConfig } from '../reconcile/leader-election/leader-elector.ts';
import { type AdmissionPlugins, admissionPlugins } from './admission.ts';
import { leaderElectionConfig } from './controllers/leader-election.ts';
import { checkSimulation } from './controllers/simulation.ts';
import { delegatesAuthentication } from './delegated/config.ts';
import { builtinGroup, type ReleaseGroups, servedCatalogs } from './groups/groups.ts';
import { defaultRelease, minorOf, parseRelease } from './groups/releases.ts';
import { applyRuntimeConfig } from './groups/runtime-config.ts';
import { type ServerPlace, serverPlace } from './server-place.ts';
import { parseServicesConfig } from './services-config.ts';
import { timeAndChance } from './test-kit/determinism.ts';
import { openTestGroup, type TestGroup } from './test-kit/test-group.ts';

/** A server's configuration, derived from its options alone. Nothing is open yet. (server.CompletedConfig) */
export interface CompletedConfig {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeySource;
  readonly place: ServerPlace;
  readonly startOrder: StartOrder;
  /** Decides when requests begin. Undefined for at once. */
  readonly requestOrder: ApiMiddleware | undefined;
  readonly logger: Logger;
  readonly features: FeatureGates;
  readonly controllers: ReadonlySet<ControllerName>;
  /** Undefined if this server runs its controllers regardless of other servers. */
  readonly leaderElection: LeaderElectionConfig | undefined;
  /** The served groups of Kubernetes itself. */
  readonly builtin: ReleaseGroups | ApiGroup;
  readonly admission: AdmissionPlugins;
  readonly services: ServicesConfig;
  /** Undefined unless tests may control the server. */
  readonly testGroup: TestGroup | undefined;
  /** The served groups, Kubernetes' own first. */
  readonly groups: readonly ApiGroup[];
  /** The catalogs of served resources, by group. */
  readonly catalogs: readonly Catalog[];
  /** The minor version of the Kubernetes release, for example 35. */
  readonly minor: number;
  /** False for a fork without a port, which only this process can reach. */
  readonly listens: boolean;
}

/** @throws OptionError for an invalid option */
export async function completeConfig(given: ServerOptions): Promise<CompletedConfig> {
  // worker threads finish in no defined order
  const options = given.seed === undefined ? given : { ...given, workerThreshold: Number.POSITIVE_INFINITY };
  const { controllers: named = options.replay && [''] } = options;
  const controllers = parseControllers(named, Boolean(options.simulate));
  const leaderElection = options.replay === undefined ? leaderElectionConfig(options) : undefined;
  const services = parseServicesConfig(options);
  await checkSimulation(options);
  const { clock, random, keys, startOrder, requestOrder } = await timeAndChance(options);
  const { logLevel = 'silent' } = options;
  const builtin = builtinGroups(options);
  const [logger, admission, ownGroup] = await Promise.all([
    createLogger(logLevel),
    admissionPlugins(options),
    'catalog' in builtin ? builtin : builtinGroup(builtin),
  ]);
  const testGroup = await openTestGroup(options, clock);
  const groups = [ownGroup, ...(options.groups ?? []), ...(testGroup ? [testGroup.group] : [])];
  const minor = minorOf(ownGroup.catalog.release);
  const features = parseFeatureGates(options.featureGates ?? [], minor);
  for (const gate of ineffectiveGates(features, minor)) logger.warn({ gate }, 'a feature gate changes nothing here');
  const catalogs = applyRuntimeConfig(servedCatalogs(groups), options.runtimeConfig ?? [], features);
  return {
    options,
    catalogs,
    logger,
    features,
    controllers,
    leaderElection,
    services,
    admission,
    builtin,
    groups,
    clock,
    random,
    keys,
    startOrder,
    requestOrder,
    place: serverPlace(options),
    testGroup,
    listens: true,
    minor,
  };
}

/**
 * A server with a delegate leaves Kubernetes' own groups to it.
 *
 * @throws OptionError if a server with a delegate is to serve them too, and for an unknown release
 */
function builtinGroups(options: ServerOptions): ReleaseGroups | ApiGroup {
  const { builtin, kubernetes } = options;
  const release = kubernetes === undefined ? defaultRelease : parseRelease(kubernetes);
  if (!delegatesAuthentication(options)) {
    if (typeof builtin !== 'object') return { release, groups: builtin === false ? 'generic' : 'all' };
    if (kubernetes === undefined) return builtin;
    throw new OptionError('--kubernetes-version cannot be used with groups of another release');
  }
  if (!builtin) return { release, groups: 'none' };
  throw new OptionError(
    "--authentication-kubeconfig and --authorization-kubeconfig need --no-builtin: the server that they name serves Kubernetes' own groups",
  );
}

/** @throws OptionError for unknown controllers */
function parseControllers(texts: readonly string[] | undefined, simulates: boolean): ReadonlySet<ControllerName> {
  const { enabled, unknown } = selectControllers(texts, simulates);
  if (unknown.length === 0) return enabled;
  const names = unknown.map((name) => JSON.stringify(name.replace(/^-/, ''))).join(', ');
  throw new OptionError(`--controllers: ${names} is not in the list of known controllers: ${controllerNames.join(', ')}`);
}
