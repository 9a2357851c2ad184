import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { BoundedMap } from '../../../machinery/collections/bounded-map.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import { findCRDCondition, isCRDConditionTrue, schemaOf } from '../api-helpers.ts';
import { validateStructural } from '../validation/structural.ts';

type Condition = CustomResourceDefinitionCondition;

/**
 * Computes the condition NonStructuralSchema. (apiextensions-apiserver pkg/controller/nonstructuralschema)
 *
 * Only definitions with preserveUnknownFields can have non-structural schemas. The check is expensive, and its result
 * changes only with the generation, so results are cached.
 */
export class NonStructuralSchemaController {
  /** By uid. */
  readonly #checked = new BoundedMap<string, { generation: number; condition: Condition | undefined }>(20_000);

  /** Takes over the condition that an earlier process found for an established definition. */
  trust(crd: CustomResourceDefinition): void {
    if (!isCRDConditionTrue(crd, 'Established')) return;
    const { uid = '', generation = 0 } = crd.metadata;
    this.#checked.set(uid, { generation, condition: findCRDCondition(crd, 'NonStructuralSchema') });
  }

  /**
   * Returns undefined if all schemas are structural.
   *
   * @param crd may lack its schemas
   * @param read the whole definition, undefined if it has been deleted
   */
  condition(crd: CustomResourceDefinition, read: () => CustomResourceDefinition | undefined): Condition | undefined {
    if (!crd.spec.preserveUnknownFields) return undefined;
    const { uid = '', generation = 0 } = crd.metadata;
    const checked = this.#checked.get(uid);
    if (checked?.generation === generation) return checked.condition;
    const whole = read();
    if (whole === undefined) return undefined;
    const condition = calculateNonStructuralSchemaCondition(whole);
    this.#checked.set(uid, { generation: whole.metadata.generation ?? 0, condition });
    return condition;
  }
}

function calculateNonStructuralSchemaCondition({ spec }: CustomResourceDefinition): Condition | undefined {
  const errors = spec.preserveUnknownFields ? [invalid(FieldPath.of('spec', 'preserveUnknownFields'), true, 'must be false')] : [];
  spec.versions.forEach((version, index) => {
    const schema = schemaOf(version);
    if (schema === undefined) return;
    const path = FieldPath.of('spec', 'versions').index(index).child('schema', 'openAPIV3Schema');
    for (const error of validateStructural(schema, path)) errors.push(error);
  });
  if (errors.length === 0) return undefined;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message: aggregate(errors.map(fieldErrorMessage)) };
}
