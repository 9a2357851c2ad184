import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore } from '../resources.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * Taints each new node as not ready. No pod is scheduled there until the node controller removes the taint.
 * (plugin/pkg/admission/nodetaint)
 */
export const newTaintNodesByCondition: PluginFactory = () => ({
  handles: onCore('nodes', 'CREATE'),
  admit({ object }) {
    const node = object as Unvalidated<Node>;
    node.spec ??= {};
    const { taints = [] } = node.spec;
    if (taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) return;
    node.spec.taints = [...taints, { ...notReady }];
  },
});
