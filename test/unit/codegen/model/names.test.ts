import { expect, test } from '@jest/globals';
import { apiVersionOf, folderAlias, goTypeName, groupProperty, lowerFirst } from '../../../../codegen/model/names.ts';
import { exampleV1, model, type } from '../model-fixture.ts';

test.each([
  ['PodSpec', 'podSpec'],
  ['APIGroup', 'apiGroup'],
  ['CSI', 'csi'],
])('%s begins in lower case as %s', (given, want) => {
  expect(lowerFirst(given)).toBe(want);
});

test('errors name a type by the last part of its package', () => {
  expect(goTypeName(type('example.com/v1', 'Spec', [], { goPackage: 'k8s.io/api/core/v2' }))).toBe('v2.Spec');
});

test('the core group has no name in apiVersion', () => {
  expect([apiVersionOf({ group: '', version: 'v1' }), apiVersionOf(exampleV1)]).toEqual(['v1', 'example.com/v1']);
});

test('short names get longer where two groups would share one', () => {
  expect([folderAlias('example.com/v1', model), groupProperty('example.com', model)]).toEqual(['examplev1', 'example']);
  const other = { ...exampleV1, group: 'example.org', folder: 'example.org/v1' };
  const both = { ...model, groupVersions: [...model.groupVersions, other] };
  expect([folderAlias('example.com/v1', both), groupProperty('example.com', both)]).toEqual(['examplecomv1', 'exampleCom']);
});
