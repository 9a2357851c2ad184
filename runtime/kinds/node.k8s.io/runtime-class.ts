import type * as node from '../../../generated/v1.35/node.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

type RuntimeClass = Unvalidated<node.RuntimeClass>;

/** (pkg/api/node/util.go, GetWarningsForRuntimeClass) */
export const runtimeClassWarnings: WarningStrategy<RuntimeClass> = warningsOnWrite(({ scheduling }) =>
  Object.keys(scheduling?.nodeSelector ?? {})
    .map(nodeLabelWarning)
    .filter((message) => message !== undefined)
    .map((message) => `scheduling.nodeSelector: ${message}`),
);

/** (pkg/apis/node/validation) */
export function validateRuntimeClass({ handler = '' }: RuntimeClass, field: Field): void {
  validateFormat(handler, dnsLabel, field.child('handler'));
}

export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, old: RuntimeClass, field: Field): void {
  validateImmutableField(runtimeClass.handler, old.handler, field.child('handler'));
}
