import { addOrUpdateTolerations } from '../../kinds/core/pod/tolerations.ts';
import { isExtendedResourceName } from '../../kinds/core/resource-list.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore, podSpecOf } from '../resources.ts';

/**
 * Adds a toleration for each extended resource that a pod requests, since nodes that have one are often tainted with its
 * name. (plugin/pkg/admission/extendedresourcetoleration)
 */
export const newExtendedResourceToleration: PluginFactory = () => ({
  handles: onCore('pods', 'CREATE', 'UPDATE'),
  admit(attributes) {
    const spec = podSpecOf(attributes);
    const requested = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}).filter(isExtendedResourceName),
    );
    const tolerations = [...new Set(requested)].sort().map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
    if (tolerations.length > 0) addOrUpdateTolerations(spec, tolerations);
  },
});
