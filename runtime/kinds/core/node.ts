import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { addCIDRWarnings } from '../validation/ip-warnings.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { warningsOnWrite } from '../warnings.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';
import { roundResourceList } from './resource-list.ts';

type Node = Unvalidated<core.Node>;

/** (pkg/registry/core/node/strategy.go) */
export const nodeStrategy: RESTStrategy = {
  resourceLocation: ({ metadata }) => ({ node: metadata.name ?? '' }),
  prepareForCreate(node: Node) {
    delete node.spec?.configSource;
    delete node.status?.config;
    dropDeclaredFeatures(node, undefined);
  },
  prepareForUpdate(node: Node, old: Node, { part }) {
    if (part === 'status') {
      if (old.status?.config === undefined) delete node.status?.config;
      return;
    }
    if (old.spec?.configSource === undefined) delete node.spec?.configSource;
    dropDeclaredFeatures(node, old);
  },
  ...validatedBy(
    validateNode,
    (node: Node, old: Node, field) => {
      validateNode(node, field);
      validateNodeUpdate(node, old, field);
    },
    validateNodeUpdate,
  ),
};

/** Drops features unless the stored node has some: their gate is off. (dropDisabledFields; NodeDeclaredFeatures) */
function dropDeclaredFeatures({ status }: Node, old: Node | undefined): void {
  if (old?.status?.declaredFeatures === undefined) delete status?.declaredFeatures;
}

/** Makes `podCIDR` the first of `podCIDRs`. If they differ, `podCIDR` wins. (Convert_v1_NodeSpec_To_core_NodeSpec) */
export function setNodePodCIDRs(spec: Unvalidated<core.NodeSpec>): void {
  const [first] = spec.podCIDRs ?? [];
  if (!spec.podCIDR) {
    if (first !== undefined) spec.podCIDR = first;
  } else if (spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
}

/** (SetDefaults_NodeStatus) */
export function setNodeAllocatable(status: Unvalidated<core.NodeStatus>): void {
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  roundResourceList(status.capacity);
  roundResourceList(status.allocatable);
}

/** (pkg/registry/core/node/strategy.go) */
export const nodeWarnings = warningsOnWrite(({ spec }: Node) => {
  const warnings: string[] = [];
  if (spec?.configSource) warnings.push('spec.configSource: the feature is removed');
  if (spec?.externalID) {
    warnings.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  }
  for (const [index, cidr] of (spec?.podCIDRs ?? []).entries()) {
    addCIDRWarnings(`spec.podCIDRs[${index}]`, cidr, warnings);
  }
  return warnings;
});

export function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const text = !ready ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

const rolePrefix = 'node-role.kubernetes.io/';

export function nodeRoles({ metadata }: Node): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(metadata?.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

const addressOfType = ({ status }: Node, wanted: string): string =>
  status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';

export const nodeInternalIP = (node: Node): string => addressOfType(node, 'InternalIP');
export const nodeExternalIP = (node: Node): string => addressOfType(node, 'ExternalIP');
