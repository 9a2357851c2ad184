import type { KubeObject, Part } from '../../machinery/object.ts';

export function nodeStatus({ spec, status }: KubeObject): string {
  const ready = status?.conditions?.findLast(({ type }: Part) => type === 'Ready');
  const text = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

const rolePrefix = 'node-role.kubernetes.io/';

export function nodeRoles({ metadata }: KubeObject): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

const address = ({ status }: KubeObject, wanted: string): string =>
  status?.addresses?.find(({ type }: Part) => type === wanted)?.address ?? '<none>';

export const nodeInternalIP = (node: KubeObject): string => address(node, 'InternalIP');
export const nodeExternalIP = (node: KubeObject): string => address(node, 'ExternalIP');
