import type { CustomResourceDefinition } from '../../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import {
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from '../../../../../runtime/extensions/crd/validation/index.ts';
import type { JsonSchema } from '../../../../../runtime/machinery/schema/json-schema.ts';
import { type FieldError, fieldErrorMessage } from '../../../../../runtime/machinery/validation/field-error.ts';
import type { TestObject } from '../../../../support/test-object.ts';

type Members = object;

/** Returns a valid definition of one version. `version` and `spec` override its fields. */
export function definition(version: Members = {}, spec: Members = {}, rest: Members = {}): TestObject {
  return {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      conversion: { strategy: 'None' },
      versions: [{ ...oneVersion('v1'), ...version }],
      ...spec,
    },
    status: { storedVersions: ['v1'] },
    ...rest,
  };
}

export function oneVersion(name: string, members: Members = {}): Members {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return { name, served: true, storage: name === 'v1', schema, ...members };
}

/** Returns a definition with a schema at the root. */
export const withSchema = (schema: JsonSchema, version: Members = {}): TestObject =>
  definition({ schema: { openAPIV3Schema: schema }, ...version });

/** Returns a definition whose schema has one field `x`. */
export const withX = (x: JsonSchema): TestObject => withSchema({ type: 'object', properties: { x } });

export function errorsOf(crd: TestObject): string[] {
  const errors: FieldError[] = [];
  validateCustomResourceDefinition(crd as CustomResourceDefinition, errors);
  return errors.map(fieldErrorMessage);
}

export function updateErrorsOf(crd: TestObject, old: TestObject): string[] {
  const errors: FieldError[] = [];
  validateCustomResourceDefinitionUpdate(crd as CustomResourceDefinition, old as CustomResourceDefinition, errors);
  return errors.map(fieldErrorMessage);
}
