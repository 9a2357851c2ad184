import type { Part } from '../../machinery/object.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { dnsLabel } from '../../machinery/validation/name-formats.ts';
import { nodeLabelWarning } from '../core/node-selector.ts';
import { type Errors, validateFormat, validateImmutableField } from '../validation/fields.ts';
import { always, type WarningRules } from '../warnings.ts';

/** (pkg/api/node/util.go) */
export const runtimeClassWarnings: WarningRules = always(({ scheduling }) =>
  Object.keys(scheduling?.nodeSelector ?? {})
    .map(nodeLabelWarning)
    .filter((why) => why !== undefined)
    .map((why) => `scheduling.nodeSelector: ${why}`),
);

/** (pkg/apis/node/validation) */
export function validateRuntimeClass(runtimeClass: Part, path: FieldPath, errors: Errors): void {
  validateFormat(runtimeClass.handler ?? '', dnsLabel, path.child('handler'), errors);
}

export function validateRuntimeClassUpdate(runtimeClass: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(runtimeClass.handler, old.handler, path.child('handler'), errors);
}
