import { expect, test } from '@jest/globals';
import { v2Dialect } from '../../../../../runtime/extensions/crd/openapi/dialect.ts';
import { SharedParameters } from '../../../../../runtime/extensions/crd/openapi/shared-parameters.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const body = (schema: string, required = false): Record<string, unknown> => {
  const { parameters } = v2Dialect.body(schema, [], required);
  return (parameters as Record<string, unknown>[])[0];
};
const query = (name: string): Record<string, unknown> => v2Dialect.parameter({ name, in: 'query', type: 'string' });

test.each([
  [body(`${meta}.DeleteOptions`), 'body-2Y1dVQaQ'],
  [body(`${meta}.Patch`, true), 'body-78PwaGsr'],
])('a shared parameter has the name that upstream gives it', (parameter, name) => {
  const shared = new SharedParameters();
  expect(shared.reference(parameter)).toEqual({ $ref: `#/parameters/${name}` });
  expect([...shared.texts]).toEqual([[name, JSON.stringify(parameter)]]);
});

test.each([
  ['the name', v2Dialect.parameter({ name: 'name', in: 'path', type: 'string' })],
  ['fieldValidation', query('fieldValidation')],
  ['dryRun', query('dryRun')],
  ['a body of the kind', body('com.example.v1.Fox', true)],
])('%s is not shared', (_, parameter) => {
  const shared = new SharedParameters();
  expect(shared.reference(parameter)).toBe(parameter);
  expect(shared.texts.size).toBe(0);
});
