import type { Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { HostPortInfo, hostPortsOf } from '../framework/host-ports.ts';
import type { FilterPlugin } from '../framework/plugin.ts';
import { unschedulable } from '../framework/status.ts';

const name = 'NodePorts';
export const usedPorts = "node(s) didn't have free ports for the requested pod ports";
const status = unschedulable(name, usedPorts);

/** (plugins/nodeports) */
export const nodePorts: FilterPlugin = {
  name,
  hints: {
    NodeAdd: true,
    AssignedPodDelete({ hostPorts }, { before }) {
      const freed = new HostPortInfo();
      for (const port of hostPortsOf(before as Pod)) freed.add(port);
      return hostPorts.some((port) => freed.conflictsWith(port));
    },
  },
  preFilter({ hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return {
      filter: (node) => (hostPorts.some((port) => node.usedPorts.conflictsWith(port)) ? status : undefined),
    };
  },
};
