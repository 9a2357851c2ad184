import { Field } from '../../machinery/validation/field.ts';
import type { FieldError } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { UpdatePart } from '../../resources/rest.ts';

type UpdateRules<T> = (object: T, old: T, field: Field) => void;

interface ValidationSteps<T> {
  validateCreate(object: T, errors: FieldError[]): void;
  validateUpdate(object: T, old: T, errors: FieldError[], context: { readonly part: UpdatePart }): void;
}

/**
 * Makes the validation steps of a strategy from the rules of its kind. (Validate, ValidateUpdate)
 *
 * @param updateStatus for writes of the status. Default: the rules of other updates
 */
export const validatedBy = <T>(
  create: (object: T, field: Field) => void,
  update: UpdateRules<T>,
  updateStatus: UpdateRules<T> = update,
): ValidationSteps<T> => ({
  validateCreate: (object, errors) => create(object, Field.at(FieldPath.root, errors)),
  validateUpdate(object, old, errors, { part }) {
    const rules = part === 'status' ? updateStatus : update;
    rules(object, old, Field.at(FieldPath.root, errors));
  },
});
