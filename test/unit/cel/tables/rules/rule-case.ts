import type { Json } from '../../../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../../../runtime/machinery/schema/json-schema.ts';

/**
 * Valid and failing rules for an object of a schema, with the errors. The facts are those of apiextensions-apiserver
 * pkg/apiserver/schema/cel/validation_test.go.
 */
export interface RuleCase {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly object: Json;
  readonly old?: Json;
  readonly isRoot?: boolean;
  readonly budget?: number;
  /** The cost of each valid rule; 0 if none may run. */
  readonly cost?: number;
  readonly hold: readonly string[];
  readonly fail?: Readonly<Record<string, string>>;
}
