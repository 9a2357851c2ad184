import type * as v1 from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { isJsonPathError, parseJsonPath } from '../../structural/schema/json-path-parser.ts';
import { validateConditions } from '../validation/conditions.ts';

/** (pkg/apis/admissionregistration/validation validateValidatingAdmissionPolicyStatus) */
export function validateValidatingAdmissionPolicyStatus(
  { typeChecking, conditions }: Unvalidated<v1.ValidatingAdmissionPolicyStatus>,
  field: Field,
): void {
  const warnings = field.child('typeChecking', 'expressionWarnings');
  for (const [index, { warning = '', fieldRef = '' }] of (typeChecking?.expressionWarnings ?? []).entries()) {
    const at = warnings.index(index);
    if (warning === '') at.child('warning').required();
    validateFieldRef(fieldRef.trim(), at.child('fieldRef'));
  }
  validateConditions(conditions ?? [], field.child('conditions'));
}

function validateFieldRef(path: string, field: Field): void {
  if (path === '') {
    field.required();
    return;
  }
  try {
    parseJsonPath(path);
  } catch (error) {
    if (!isJsonPathError(error)) throw error;
    field.invalid(path, `invalid JSONPath: ${error.message}`);
  }
}
