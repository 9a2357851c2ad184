import type * as core from '../../../../generated/v1.35/core/v1/types.ts';
import type { Attributes } from '../../../machinery/admission.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { equalJson, equalPruned } from '../../../machinery/json/equality.ts';
import { memberOf } from '../../../machinery/json/values.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { newForbidden } from '../../errors.ts';

type Node = Unvalidated<core.Node>;
type Labels = Readonly<Record<string, string>>;

/** Lets a node write its own Node, except for fields that would attract other pods: taints, owners and most labels. */
export function admitNode(node: string, attributes: Attributes): void {
  const { operation, name, object, oldObject } = attributes;
  if (name !== node) {
    throw newForbidden(attributes, `node ${quote(node)} is not allowed to modify node ${quote(name)}`);
  }
  if (operation === 'CREATE') requireOwnFields(node, attributes, object as Node);
  if (operation === 'UPDATE') requireSameFields(node, attributes, [object as Node, oldObject as Node]);
}

function requireOwnFields(node: string, attributes: Attributes, { metadata, spec }: Node): void {
  if (spec?.configSource !== undefined) {
    const message = `node ${quote(node)} is not allowed to create pods with a non-nil configSource`;
    throw newForbidden(attributes, message);
  }
  const labels = forbiddenLabels(metadata?.labels ?? {}, {});
  if (labels.length === 0) return;
  const message = `node ${quote(node)} is not allowed to set the following labels: ${labels.join(', ')}`;
  throw newForbidden(attributes, message);
}

function requireSameFields(node: string, attributes: Attributes, [changed, old]: readonly [Node, Node]): void {
  const refuse = (what: string): never => {
    throw newForbidden(attributes, `node ${quote(node)} is not allowed to ${what}`);
  };
  const { configSource } = changed.spec ?? {};
  if (configSource !== undefined && !equalPruned(configSource, old.spec?.configSource)) {
    refuse('update configSource to a new non-nil configSource');
  }
  if (!equalJson(changed.spec?.taints ?? [], old.spec?.taints ?? [])) refuse('modify taints');
  if (!equalJson(changed.metadata?.ownerReferences ?? [], old.metadata?.ownerReferences ?? [])) {
    refuse('modify ownerReferences');
  }
  const labels = forbiddenLabels(changed.metadata?.labels ?? {}, old.metadata?.labels ?? {});
  if (labels.length === 0) return;
  throw newForbidden(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

/** Returns the changed labels that a node must not change, sorted. (getForbiddenLabels) */
function forbiddenLabels(labels: Labels, old: Labels): string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => memberOf(labels, key) !== memberOf(old, key) && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const namespace = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  const isBelow = (parent: string): boolean => namespace === parent || namespace.endsWith(`.${parent}`);
  if (isBelow('node-restriction.kubernetes.io')) return true;
  if (!isBelow('kubernetes.io') && !isBelow('k8s.io')) return false;
  return !kubeletLabels.has(key) && !isBelow('kubelet.kubernetes.io') && !isBelow('node.kubernetes.io');
}

/** (kubelet pkg/apis/well_known_labels.go) */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
