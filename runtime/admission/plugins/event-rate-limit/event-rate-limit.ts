import type { Event as CoreEvent } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Event } from '../../../../generated/v1.35/events.k8s.io/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { Plugin, PluginFactory } from '../../plugin.ts';
import type { RateLimit } from '../../rate-limiters.ts';
import { type Limit, type limitTypes, loadConfiguration } from './configuration.ts';

const defaultCacheSize = 4096;

type LimitType = (typeof limitTypes)[number];

/** The keys by which events are counted, by type of limit. */
const keys: Readonly<Record<LimitType, (attributes: Attributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject: sourceAndObject,
};

/** Refuses events above the configured rates. (plugin/pkg/admission/eventratelimit) */
export const newEventRateLimit: PluginFactory = ({ rateLimiters }, configuration): Plugin => {
  const limits = loadConfiguration(configuration?.bytes).map(limitOf);
  return {
    handles: (operation, { group, resource }, subresource) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      (group === '' || group === 'events.k8s.io') &&
      resource === 'events' &&
      subresource === '',
    validate(attributes) {
      if (attributes.dryRun) return;
      rateLimiters.accept(limits.map((limit) => ({ limit, key: keys[limit.type](attributes) })));
    },
  };
};

function limitOf({ type = '', qps = 0, burst = 0, cacheSize = 0 }: Limit, index: number): RateLimit & { readonly type: LimitType } {
  const name = `EventRateLimit ${index}`;
  const size = type === 'Server' ? 1 : cacheSize || defaultCacheSize;
  return { name, type: type as LimitType, qps, burst, cacheSize: size };
}

/** Returns the source and the object of an event of either API, joined as upstream joins them. */
function sourceAndObject({ definition, object }: Attributes): string {
  const { source, involvedObject } =
    definition.group === '' ? (object as Unvalidated<CoreEvent>) : asCoreEvent(object as Unvalidated<Event>);
  const { kind, namespace, name, uid, apiVersion } = involvedObject ?? {};
  return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join('');
}

const asCoreEvent = ({ deprecatedSource, regarding }: Unvalidated<Event>): Unvalidated<CoreEvent> =>
  defined({ source: deprecatedSource, involvedObject: regarding });
