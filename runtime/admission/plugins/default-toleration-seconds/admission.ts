import type { Toleration } from '../../../kinds/core/pod/tolerations.ts';
import type { PluginFactory } from '../../plugin.ts';
import { isCore, podSpecOf } from '../../resources.ts';

/** How long pods stay on a node that is not ready, or that cannot be reached. (--default-not-ready-toleration-seconds) */
const defaultSeconds = 300;

/**
 * Adds tolerations of nodes that are not ready, or cannot be reached, for five minutes, to pods that have none.
 * (plugin/pkg/admission/defaulttolerationseconds)
 */
export const newDefaultTolerationSeconds: PluginFactory = () => ({
  handles: (operation, definition, subresource) =>
    isCore(definition, 'pods') && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  admit(attributes) {
    const spec = podSpecOf(attributes);
    for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']) {
      if (spec.tolerations?.some((toleration) => tolerates(toleration, key))) continue;
      spec.tolerations ??= [];
      spec.tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: defaultSeconds });
    }
  },
});

const tolerates = ({ key, effect }: Toleration, wanted: string): boolean =>
  (!key || key === wanted) && (!effect || effect === 'NoExecute');
