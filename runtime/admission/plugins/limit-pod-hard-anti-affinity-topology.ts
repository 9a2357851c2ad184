import { requiredTerms } from '../../kinds/core/pod/affinity.ts';
import { forbidden } from '../../machinery/errors/status.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore, podOf } from '../resources.ts';

const hostname = 'kubernetes.io/hostname';

/**
 * Refuses pods whose required anti-affinity has another topology key than the node's hostname.
 * (plugin/pkg/admission/antiaffinity)
 */
export const newLimitPodHardAntiAffinityTopology: PluginFactory = () => ({
  handles: onCore('pods', 'CREATE', 'UPDATE'),
  validate(attributes) {
    const { metadata, spec } = podOf(attributes);
    for (const { topologyKey = '' } of spec?.affinity?.podAntiAffinity?.[requiredTerms] ?? []) {
      if (topologyKey === hostname) continue;
      const message = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${hostname} is allowed`;
      throw forbidden(attributes.definition, metadata.name ?? '', message);
    }
  },
});
