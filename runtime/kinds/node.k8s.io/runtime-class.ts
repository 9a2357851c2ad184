import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type * as node from '../../../generated/v1.35/node.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateOverhead } from '../core/pod/resource-requirements.ts';
import { validateTolerations } from '../core/pod/scheduling.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { validateLabels } from '../validation/labels.ts';
import { type WriteWarnings, warningsOnWrite } from '../warnings.ts';

type RuntimeClass = Unvalidated<node.RuntimeClass>;

/** (pkg/api/node/util.go, GetWarningsForRuntimeClass) */
export const runtimeClassWarnings: WriteWarnings<RuntimeClass> = warningsOnWrite(({ scheduling }) =>
  Object.keys(scheduling?.nodeSelector ?? {})
    .map(nodeLabelWarning)
    .filter((message) => message !== undefined)
    .map((message) => `scheduling.nodeSelector: ${message}`),
);

/** (pkg/apis/node/validation) */
export function validateRuntimeClass({ handler = '', overhead, scheduling }: RuntimeClass, field: Field): void {
  validateFormat(handler, dnsLabel, field.child('handler'));
  if (overhead?.podFixed) validateOverhead(overhead.podFixed, field.child('overhead'));
  if (scheduling) validateScheduling(scheduling, field.child('scheduling'));
}

function validateScheduling({ nodeSelector, tolerations = [] }: Unvalidated<node.Scheduling>, field: Field): void {
  validateLabels(nodeSelector, field.child('nodeSelector'));
  const at = field.child('tolerations');
  validateTolerations(tolerations, field.follows('TolerationsAreNamedOnce') ? at : at.child('tolerations'));
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity)) at.index(index).duplicate(internalToleration(toleration));
    seen.add(identity);
  }
}

/** Returns a toleration as Go writes the internal type. */
const internalToleration = (toleration: Unvalidated<core.Toleration>): object => {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration;
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds };
};

export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, old: RuntimeClass, field: Field): void {
  validateImmutableField(runtimeClass.handler, old.handler, field.child('handler'));
}
