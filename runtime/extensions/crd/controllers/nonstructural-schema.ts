import { fieldErrorMessage, invalid } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { Condition, CustomResourceDefinition } from '../api-helpers.ts';
import { validateStructural } from '../validation/structural.ts';

/** What keeps the schemas from being structural; undefined when nothing does. (pkg/controller/nonstructuralschema) */
export function calculateNonStructuralSchemaCondition({ spec }: CustomResourceDefinition): Condition | undefined {
  const errors = spec.preserveUnknownFields
    ? [invalid(FieldPath.of('spec', 'preserveUnknownFields'), true, 'must be false')]
    : [];
  spec.versions.forEach(({ schema }, index) => {
    if (schema?.openAPIV3Schema === undefined) return;
    const path = FieldPath.of('spec', 'versions').index(index).child('schema', 'openAPIV3Schema');
    for (const error of validateStructural(schema.openAPIV3Schema, path)) errors.push(error);
  });
  if (errors.length === 0) return undefined;
  const texts = [...new Set(errors.map(fieldErrorMessage))];
  const message = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}
