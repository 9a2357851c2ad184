import { componentProbes } from '../../kinds/core/component-probes.ts';
import { LocalServiceAllocators } from '../../kinds/core/service/local-allocators.ts';
import { builtinStrategies } from '../../kinds/strategies.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { releaseRules } from '../../machinery/validation/rule-changes.ts';
import { withGroupStrategies } from '../../resources/group-strategies.ts';
import { ResourceRegistry } from '../../resources/registry.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import { ResourceStores } from '../../resources/stores.ts';
import { part } from '../assembly/part.ts';
import { admission } from './admission.ts';
import { authentication, authorization } from './auth.ts';
import { config } from './inputs.ts';
import { leadership, loopback } from './shared-state.ts';
import { objectStore } from './storage.ts';

/** The served resources. */
export const registry = part('registry', {
  needs: { config },
  async open({ config: { catalogs, options } }) {
    const opened = new ResourceRegistry();
    for (const catalog of catalogs) opened.add(catalog);
    // with a seed, nothing may depend on how long a module loads
    if (options.seed !== undefined) await Promise.all([...opened.entries()].map((entry) => entry.load()));
    return opened;
  },
});

export const restMapper = part('restMapper', { needs: { registry }, open: ({ registry }) => new RESTMapper(registry) });

/** The cluster IPs and node ports of services. */
export const serviceAllocators = part('serviceAllocators', {
  needs: { config, loopback },
  open: ({ config: { services }, loopback }) => new LocalServiceAllocators(services, loopback.stores),
});

/** The store of each resource. */
export const stores = part('stores', {
  needs: {
    config,
    registry,
    restMapper,
    objectStore,
    authentication,
    authorization,
    serviceAllocators,
    admission,
    leadership,
    loopback,
  },
  open(needs) {
    const { config, registry, objectStore: store, serviceAllocators, admission, leadership, loopback } = needs;
    const { options, clock, random, place, features, minor, testGroup, groups, catalogs } = config;
    const { tokens, audiences } = needs.authentication;
    const { authorizer, policy: ruleResolver } = needs.authorization;
    const strategies = builtinStrategies({
      authorizer,
      ruleResolver,
      tokens,
      allowsAnonymous: () => needs.authentication.allowsAnonymous,
      audiences,
      serviceAllocators,
      features,
      minor,
      kinds: needs.restMapper,
      componentProbes: componentProbes(() => loopback.stores().revision(), elementAt(catalogs, 0).release),
      eventTTL: options.eventTTL,
    });
    const opened = new ResourceStores({
      registry,
      store,
      clock,
      random,
      admission,
      leadership,
      hostname: place.hostname,
      rules: releaseRules(minor),
      strategies: withGroupStrategies({ ...strategies, ...testGroup?.strategies }, groups),
    });
    loopback.connect(opened);
    return opened;
  },
});
