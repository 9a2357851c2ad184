import { expect, test } from '@jest/globals';
import type { NamedRuleWithOperations } from '../../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { matchesRule, type RequestedResource } from '../../../../runtime/admission/predicates/rules.ts';

const any: NamedRuleWithOperations = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*/*'],
};
const deployment: RequestedResource = {
  operation: 'CREATE',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespaced: true,
};

test.each<[about: string, rule: Partial<NamedRuleWithOperations>, written: Partial<RequestedResource>, matches: boolean]>([
  ['any operation', {}, { operation: 'CONNECT' }, true],
  ['one operation', { operations: ['UPDATE', 'CREATE'] }, {}, true],
  ['another operation', { operations: ['UPDATE'] }, {}, false],
  ['no operations', { operations: [] }, {}, false],
  ['absent operations', { operations: undefined }, {}, false],
  ['one group', { apiGroups: ['batch', 'apps'] }, {}, true],
  ['another group', { apiGroups: [''] }, {}, false],
  ['the core group', { apiGroups: [''] }, { group: '' }, true],
  ['one version', { apiVersions: ['v1'] }, {}, true],
  ['another version', { apiVersions: ['v1beta1'] }, {}, false],
  ['one resource', { resources: ['deployments'] }, {}, true],
  ['a resource, for its subresource', { resources: ['deployments'] }, { subresource: 'scale' }, false],
  ['all resources', { resources: ['*'] }, {}, true],
  ['all resources, for a subresource', { resources: ['*'] }, { subresource: 'scale' }, false],
  ['a resource and its subresources, for it', { resources: ['deployments/*'] }, {}, true],
  ['a resource and its subresources, for one', { resources: ['deployments/*'] }, { subresource: 'scale' }, true],
  ['a resource and its subresources, for another', { resources: ['pods/*'] }, { subresource: 'scale' }, false],
  ['a subresource of all resources', { resources: ['*/scale'] }, { subresource: 'scale' }, true],
  ['a subresource of all resources, for another', { resources: ['*/scale'] }, { subresource: 'status' }, false],
  ['a subresource of all resources, for none', { resources: ['*/scale'] }, {}, false],
  ['one subresource', { resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
  ['the scope of namespaced objects', { scope: 'Namespaced' }, {}, true],
  ['the scope of namespaced objects, for another', { scope: 'Namespaced' }, { namespaced: false }, false],
  ['the scope of the cluster', { scope: 'Cluster' }, { namespaced: false }, true],
  ['the scope of the cluster, for another', { scope: 'Cluster' }, {}, false],
  ['any scope', { scope: '*' }, { namespaced: false }, true],
  ['an unknown scope', { scope: 'Galaxy' }, {}, false],
])('a rule with %s', (_about, rule, written, matches) => {
  expect(matchesRule({ ...any, ...rule }, { ...deployment, ...written })).toBe(matches);
});
