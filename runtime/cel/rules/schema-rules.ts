import type { Json } from '../../machinery/object.ts';
import type { Findings } from '../../machinery/resource.ts';
import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { newRuleValidator, validateRules } from './validate.ts';

/** Runs the rules of a schema. It implements SchemaRules of structural/schema/compile. */
interface Rules {
  validate(object: Json, old: Json | undefined, path: FieldPath, findings: Findings): void;
}

/** Returns the CEL rules of a schema, compiled when an object is first validated. */
export function celRules(schema: JsonSchema): Rules {
  let validator: ReturnType<typeof newRuleValidator> | null = null;
  return {
    validate(object, old, path, { errors, warn }) {
      if (validator === null) validator = newRuleValidator(schema, true);
      if (validator === undefined) return;
      const input = { self: object, path, ...(old === undefined ? {} : { oldSelf: old }) };
      const found = validateRules(validator, input);
      for (const error of found.errors) errors.push(error);
      for (const warning of found.warnings) warn(warning);
    },
  };
}
