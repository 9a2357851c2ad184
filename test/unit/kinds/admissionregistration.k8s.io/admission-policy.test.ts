import { expect, test } from '@jest/globals';
import {
  validateMutatingAdmissionPolicy,
  validateValidatingAdmissionPolicy,
} from '../../../../runtime/kinds/admissionregistration.k8s.io/admission-policy.ts';
import { Field } from '../../../../runtime/machinery/validation/field.ts';
import { fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';

const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] };
const spec = (content: object): object => ({
  failurePolicy: 'Fail',
  matchConditions: [{ name: 'a', expression: '1 +' }],
  matchConstraints: { matchPolicy: 'Exact', namespaceSelector: {}, objectSelector: {}, resourceRules: [rule] },
  ...content,
});
const patch = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };

/** Objects that other servers may have stored. */
test.each([
  ['validating', validateValidatingAdmissionPolicy, { validations: [{ expression: 'true' }] }],
  ['mutating', validateMutatingAdmissionPolicy, { mutations: [patch], reinvocationPolicy: 'Never' }],
])('match conditions of a %s policy that do not compile may stay as long as parameters do', (_kind, validate, content) => {
  const metadata = { name: 'a' };
  const messages = (old: object | undefined): string[] => {
    const field = Field.at(FieldPath.root, []);
    validate({ metadata, spec: spec(content) }, old, field);
    return field.errors.map(fieldErrorMessage);
  };
  const refusal = [expect.stringContaining('spec.matchConditions[0].expression: Invalid value: "1 +"')];
  expect(messages(undefined)).toEqual(refusal);
  expect(messages({ metadata, spec: spec({ ...content, failurePolicy: 'Ignore' }) })).toEqual([]);
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  expect(messages({ metadata, spec: spec({ ...content, paramKind }) })).toEqual(refusal);
});
