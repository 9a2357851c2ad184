import type { Toleration } from '../../kinds/core/pod/tolerations.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore, podSpecOf } from '../resources.ts';

/**
 * Lets pods without such tolerations tolerate nodes that are not ready or unreachable, for some minutes.
 * (plugin/pkg/admission/defaulttolerationseconds)
 */
export const newDefaultTolerationSeconds: PluginFactory = ({ tolerationSeconds }) => ({
  handles: onCore('pods', 'CREATE', 'UPDATE'),
  admit(attributes) {
    const spec = podSpecOf(attributes);
    for (const [key, seconds] of [
      ['node.kubernetes.io/not-ready', tolerationSeconds.notReady],
      ['node.kubernetes.io/unreachable', tolerationSeconds.unreachable],
    ] as const) {
      if (spec.tolerations?.some((toleration) => tolerates(toleration, key))) continue;
      spec.tolerations ??= [];
      spec.tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds });
    }
  },
});

const tolerates = ({ key, effect }: Toleration, wanted: string): boolean => (!key || key === wanted) && (!effect || effect === 'NoExecute');
