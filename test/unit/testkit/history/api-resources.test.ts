import { expect, test } from '@jest/globals';
import { type ApiResource, collectionPath, resourceNamed, resourceText } from '../../../../runtime/testkit/history/api-resources.ts';

const of = (group: string, version: string, name: string, kind: string, ...shortNames: string[]): ApiResource => ({
  group,
  version,
  name,
  kind,
  shortNames,
  singularName: kind.toLowerCase(),
  namespaced: true,
  verbs: ['create', 'list'],
});
const resources = [
  of('', 'v1', 'pods', 'Pod', 'po'),
  of('apps', 'v1', 'deployments', 'Deployment', 'deploy'),
  of('metrics.example.com', 'v1', 'pods', 'Pod'),
];

test.each([
  ['po', 'pods', '/api/v1/namespaces/a/pods'],
  ['Pod', 'pods', '/api/v1/namespaces/a/pods'],
  ['deployment', 'deployments.apps', '/apis/apps/v1/namespaces/a/deployments'],
  ['deploy.apps', 'deployments.apps', '/apis/apps/v1/namespaces/a/deployments'],
  ['deployments.v1.apps', 'deployments.apps', '/apis/apps/v1/namespaces/a/deployments'],
  ['pods.metrics.example.com', 'pods.metrics.example.com', '/apis/metrics.example.com/v1/namespaces/a/pods'],
])('%s is %s', (word, text, path) => {
  const resource = resourceNamed(resources, word);
  expect([resourceText(resource), collectionPath(resource, 'a')]).toEqual([text, path]);
});

test('a word that names no resource is refused', () => {
  expect(() => resourceNamed(resources, 'pods.apps')).toThrow('the server doesn\'t have a resource type "pods.apps"');
});
