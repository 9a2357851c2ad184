import type { RuntimeClass } from '../../../generated/v1.35/node.k8s.io/v1/types.ts';
import { mergeTolerations } from '../../kinds/core/pod/tolerations.ts';
import { quantityOf } from '../../kinds/core/resource-list.ts';
import type { Attributes } from '../../machinery/admission.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { memberOf } from '../../machinery/json/values.ts';
import { compareQuantities } from '../../machinery/scalars/quantity.ts';
import type { Lister } from '../../resources/lister.ts';
import { newForbidden } from '../errors.ts';
import type { Plugin, PluginFactory } from '../plugin.ts';
import { onCore, type PodSpec, podSpecOf } from '../resources.ts';

type Amounts = Readonly<Record<string, string>>;

/**
 * Sets the overhead of new pods from their runtime class, and restricts them to nodes that support it.
 * (plugin/pkg/admission/runtimeclass)
 */
export const newRuntimeClass: PluginFactory = ({ listers }): Plugin => {
  let classes: Lister<RuntimeClass>;
  const runtimeClassOf = ({ runtimeClassName }: PodSpec, attributes: Attributes): RuntimeClass | undefined => {
    if (runtimeClassName === undefined) return undefined;
    const found = classes.get('', runtimeClassName);
    if (found !== undefined) return found;
    // upstream's client refuses to ask for it
    if (runtimeClassName === '') throw plainError('resource name may not be empty');
    throw newForbidden(attributes, `pod rejected: RuntimeClass ${quote(runtimeClassName)} not found`);
  };
  return {
    handles: onCore('pods', 'CREATE'),
    async start() {
      classes = await listers.open({ group: 'node.k8s.io', version: 'v1', resource: 'runtimeclasses' });
    },
    admit(attributes) {
      const spec = podSpecOf(attributes);
      const runtimeClass = runtimeClassOf(spec, attributes);
      if (runtimeClass === undefined) return;
      setOverhead(spec, runtimeClass, attributes);
      setScheduling(spec, runtimeClass, attributes);
    },
    validate(attributes) {
      const spec = podSpecOf(attributes);
      const runtimeClass = runtimeClassOf(spec, attributes);
      if (runtimeClass?.overhead) requireOverhead(spec, runtimeClass.overhead.podFixed, attributes);
      else if (spec.overhead !== undefined) {
        const message = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
        throw newForbidden(attributes, message);
      }
    },
  };
};

function setOverhead(spec: PodSpec, { overhead }: RuntimeClass, attributes: Attributes): void {
  if (!overhead) return;
  if (Object.keys(spec.overhead ?? {}).length > 0) requireOverhead(spec, overhead.podFixed, attributes);
  if (overhead.podFixed === undefined) delete spec.overhead;
  else spec.overhead = { ...overhead.podFixed };
}

function requireOverhead(spec: PodSpec, podFixed: Amounts | undefined, attributes: Attributes): void {
  if (equalAmounts(podFixed ?? {}, spec.overhead ?? {})) return;
  throw newForbidden(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function equalAmounts(a: Amounts, b: Amounts): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && compareQuantities(quantityOf(a[name]), quantityOf(b[name])) === 0);
}

function setScheduling(spec: PodSpec, { scheduling }: RuntimeClass, attributes: Attributes): void {
  if (!scheduling) return;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  for (const [key, value] of Object.entries(nodeSelector)) {
    const given = memberOf(spec.nodeSelector ?? {}, key);
    if (given === undefined || given === value) continue;
    const message = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given}`;
    throw newForbidden(attributes, message);
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  const merged = mergeTolerations(spec.tolerations ?? [], tolerations);
  if (merged.length > 0) spec.tolerations = merged;
}
