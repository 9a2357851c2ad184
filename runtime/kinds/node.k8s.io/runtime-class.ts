import type { Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { validateFormat, validateImmutableField } from '../validation/fields.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

/** (pkg/api/node/util.go) */
export const runtimeClassWarnings: WarningStrategy = warningsOnWrite(({ scheduling }) =>
  Object.keys(scheduling?.nodeSelector ?? {})
    .map(nodeLabelWarning)
    .filter((why) => why !== undefined)
    .map((why) => `scheduling.nodeSelector: ${why}`),
);

/** (pkg/apis/node/validation) */
export function validateRuntimeClass(runtimeClass: Part, field: Field): void {
  validateFormat(runtimeClass.handler ?? '', dnsLabel, field.child('handler'));
}

export function validateRuntimeClassUpdate(runtimeClass: Part, old: Part, field: Field): void {
  validateImmutableField(runtimeClass.handler, old.handler, field.child('handler'));
}
