import type { FilterPlugin } from '../framework/plugin.ts';
import { unresolvable } from '../framework/status.ts';

const name = 'NodeName';
const status = unresolvable(name, "node(s) didn't match the requested node name");

/** (plugins/nodename) */
export const nodeName: FilterPlugin = {
  name,
  hints: { NodeAdd: true },
  preFilter({ pod }) {
    const wanted = pod.spec?.nodeName;
    return wanted ? { filter: (node) => (node.name === wanted ? undefined : status) } : undefined;
  },
};
