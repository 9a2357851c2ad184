import type { Binding, Node } from '../../../generated/v1.35/core/v1/types.ts';
import type { Attributes } from '../../machinery/admission.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Lister } from '../../resources/lister.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';
import { isCore, podOf } from '../resources.ts';

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/**
 * Copies the zone and the region of a node to the labels of pods created there, and of bindings, which pass them on to
 * their pods. (plugin/pkg/admission/podtopologylabels)
 */
export const newPodTopologyLabels: PluginFactory = ({ listers }): Plugin => {
  let nodes: Lister<Node>;
  const copyLabels = (metadata: ObjectMeta, nodeName: string): void => {
    const labels = nodes.get('', nodeName)?.metadata.labels ?? {};
    for (const key of topologyLabels) {
      if (labels[key] === undefined) continue;
      metadata.labels ??= {};
      metadata.labels[key] = labels[key];
    }
  };
  return {
    handles: (operation, definition, subresource) =>
      operation === 'CREATE' && isCore(definition, 'pods') && (subresource === '' || subresource === 'binding'),
    async start() {
      nodes = await listers.open({ group: '', version: 'v1', resource: 'nodes' });
    },
    admit(attributes) {
      const { metadata, spec } = podOf(attributes);
      if (attributes.subresource === '') {
        if (spec?.nodeName) copyLabels(metadata, spec.nodeName);
        return;
      }
      const { target } = bindingOf(attributes);
      if (target?.kind === 'Node') copyLabels(metadata, target.name ?? '');
    },
  };
};

const bindingOf = ({ object }: Attributes): Unvalidated<Binding> => object as Unvalidated<Binding>;
