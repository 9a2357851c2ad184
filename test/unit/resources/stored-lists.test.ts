import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../../generated/v1.35/catalog.ts';
import type { KubeObject } from '../../../runtime/machinery/object.ts';
import type { ResourceDefinition } from '../../../runtime/machinery/resource.ts';
import { nullEmptyLists } from '../../../runtime/resources/stored-lists.ts';

async function definitionOf(group: string, version: string, resource: string): Promise<ResourceDefinition> {
  const found = catalog.groupVersions.find((one) => one.group === group && one.version === version);
  const resources = await found?.load();
  const definition = resources?.find((one) => one.resource === resource);
  if (definition === undefined) throw new Error(`no ${resource}`);
  return definition;
}

describe('empty lists, as they are stored', () => {
  test.each([
    ['rbac.authorization.k8s.io', 'v1', 'roles', { rules: [] }, { rules: null }],
    ['', 'v1', 'endpoints', { subsets: [] }, {}],
    ['', 'v1', 'services', { spec: { ports: [], selector: {} } }, { spec: { selector: {} } }],
    ['discovery.k8s.io', 'v1', 'endpointslices', { endpoints: [], ports: [] }, { endpoints: null, ports: null }],
    ['', 'v1', 'pods', { spec: { containers: [{ name: 'c', env: [] }] } }, { spec: { containers: [{ name: 'c' }] } }],
    ['', 'v1', 'limitranges', { spec: { limits: [] } }, { spec: { limits: null } }],
  ])('%s/%s %s: %j', async (group, version, resource, given, want) => {
    const metadata = { name: 'a', finalizers: [] };
    const object = { metadata, ...given } as unknown as KubeObject;
    nullEmptyLists(await definitionOf(group, version, resource), object);
    expect(object).toEqual({ metadata: { name: 'a' }, ...want });
  });

  test('types that are stored as JSON keep theirs', async () => {
    const definition = await definitionOf('apiregistration.k8s.io', 'v1', 'apiservices');
    const object = { metadata: { name: 'a', finalizers: [] } } as unknown as KubeObject;
    nullEmptyLists(definition, object);
    expect(object.metadata.finalizers).toEqual([]);
  });
});
