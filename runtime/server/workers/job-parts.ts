import { AdmissionObservations } from '../../admission/admission-metrics.ts';
import { createResourceHandler } from '../../endpoints/dispatch.ts';
import { CustomResourceLoader } from '../../extensions/crd/custom-resource-loader.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import { builtinStrategies } from '../../kinds/strategies.ts';
import { releaseRules } from '../../machinery/validation/rule-changes.ts';
import { withGroupStrategies } from '../../resources/group-strategies.ts';
import { Listers } from '../../resources/lister.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import { ResourceStores } from '../../resources/stores.ts';
import { newAdmissionChain, PluginInitializer } from '../admission.ts';
import { scaleType } from '../custom-resources.ts';
import { type Ask, askedAllocators, askedExternalObjects } from './ask.ts';
import { JobClock } from './job-clock.ts';
import { openJobRegistry } from './job-registry.ts';
import { JobStore } from './job-store.ts';
import { PendingEffects } from './pending-effects.ts';
import type { WorkerData } from './protocol.ts';

/** The parts of a server that a job runs with. */
export interface JobParts {
  readonly handle: ApiMiddleware;
  readonly clock: JobClock;
  readonly store: JobStore;
  readonly observed: AdmissionObservations;
  readonly customResources: CustomResourceLoader;
}

/** Opens the registry, the steps and the plugins of a server in a worker thread. The server reads and stores objects for them. */
export async function openJobParts(ask: Ask, data: WorkerData): Promise<JobParts> {
  const {
    objects,
    authorizer: { authorize, rulesFor },
    ruleResolver: { roleReferenceRules, rulesFor: resolveRules },
  } = ask;
  const effects = new PendingEffects();
  const store = new JobStore(ask, effects);
  const clock = new JobClock();
  const { registry, groups, minor } = await openJobRegistry(data);
  const authorizer = data.listsRules ? { authorize, rulesFor } : { authorize };
  const observed = new AdmissionObservations();
  const initializer = new PluginInitializer();
  const stores = new ResourceStores({
    registry,
    clock,
    admission: newAdmissionChain(data.admission, initializer, observed),
    store,
    rules: releaseRules(minor),
    strategies: withGroupStrategies(
      builtinStrategies({
        authorizer,
        ruleResolver: { roleReferenceRules, rulesFor: resolveRules },
        tokens: { authenticateToken: ask.tokens.authenticateToken },
        allowsAnonymous: () => ask.tokens.allowsAnonymous(),
        audiences: data.audiences,
        serviceAllocators: askedAllocators(ask, data.serviceFamilies),
        kinds: { mapping: (kind) => mapper.mapping(kind) },
        features: data.features,
        minor,
      }),
      groups,
    ),
  });
  const external = data.hasExternalObjects ? askedExternalObjects(objects) : undefined;
  const listers = new Listers(stores, false, external);
  const customResources = new CustomResourceLoader(stores, scaleType);
  const mapper = new RESTMapper(registry, (group) => customResources.refreshGroup(group));
  const context = {
    stores,
    listers,
    mapper,
    authorizer,
    clock,
    metrics: observed,
    quota: effects,
    rateLimiters: effects,
  };
  initializer.initialize(context);
  const handle = createResourceHandler({
    registry,
    stores,
    clock,
    authorizer,
    minRequestTimeout: 0,
    issueToken: async (parameters) => ask.tokens.issue(parameters),
    unsafeDeletion: data.unsafeDeletion,
  });
  return { handle, clock, store, observed, customResources };
}
