import { describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, definition, definitions, instance, pathOf, version } from './definition-fixture.ts';

const described = (description: string): object => ({ openAPIV3Schema: { type: 'object', description } });
const both = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Returns each document's description of a definition's first kind. Each document is requested once. */
async function documentsOf(fixture: DefinitionFixture, { spec: { group, names } }: Any, at = 'v1'): Promise<Any> {
  const model = `${group.split('.').reverse().join('.')}.${at}.${names.kind}`;
  const [v3, v2, groups, resources, aggregated] = await Promise.all([
    fixture.get(`/openapi/v3/apis/${group}/${at}`),
    fixture.get('/openapi/v2'),
    fixture.get('/apis'),
    fixture.get(`/apis/${group}/${at}`),
    fixture.get('/apis', {}, both),
  ]);
  const named = ({ name }: Any): boolean => name === group;
  return {
    v3: v3.json?.components?.schemas?.[model]?.description,
    v2: v2.json.definitions[model]?.description,
    versions: groups.json.groups.find(named)?.versions.map((one: Any) => one.version),
    resources: resources.status === 404 ? 404 : resources.json.resources.map(({ name }: Any) => name),
    aggregated: aggregated.json.items
      .find(({ metadata }: Any) => named(metadata))
      ?.versions.map((one: Any) => [one.version, ...one.resources.map(({ resource }: Any) => resource)]),
  };
}

describe('OpenAPI v2 and v3 and both discoveries', () => {
  const fixture = DefinitionFixture.forSuite();

  test('follow a definition, from the event that establishes it to the event that removes it', async () => {
    const versions = (words: string): object[] => [version('v1', { schema: described(words), subresources: {} })];
    const crd = await fixture.define({ versions: versions('as it was') });
    const before = await documentsOf(fixture, crd);
    expect(before).toEqual({
      v3: 'as it was',
      v2: 'as it was',
      versions: ['v1'],
      resources: ['foos'],
      aggregated: [['v1', 'foos']],
    });

    const path = `${definitions}/${crd.metadata.name}`;
    await fixture.merge(path, {
      spec: {
        versions: [
          version('v1', { schema: described('as it is'), subresources: { status: {} } }),
          version('v2', { schema: described('as it will be') }),
        ],
      },
    });
    // no wait: the write returns after all documents are updated
    expect(await documentsOf(fixture, crd)).toEqual({
      v3: 'as it is',
      v2: 'as it is',
      versions: ['v2', 'v1'],
      resources: ['foos', 'foos/status'],
      aggregated: [
        ['v2', 'foos'],
        ['v1', 'foos'],
      ],
    });
    expect(await documentsOf(fixture, crd, 'v2')).toMatchObject({ v3: 'as it will be', v2: 'as it will be' });

    await fixture.drop(crd);
    expect(await documentsOf(fixture, crd)).toEqual({
      v3: undefined,
      v2: undefined,
      versions: undefined,
      resources: 404,
      aggregated: undefined,
    });
  });

  test('list versions of definitions before the built-in ones of their group', async () => {
    const crd = definition({ group: 'networking.k8s.io', kind: 'Wheel', versions: [version('v1', { name: 'v3' })] });
    crd.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    await fixture.ok('POST', definitions, crd);
    await fixture.until(`${definitions}/${crd.metadata.name}`, (one) => one.status.conditions?.length > 1);
    const { groups } = (await fixture.get('/apis')).json;
    const { versions, preferredVersion } = groups.find(({ name }: Any) => name === 'networking.k8s.io');
    expect(versions.map((one: Any) => one.version)).toEqual(['v3', 'v1', 'v1beta1']);
    expect(preferredVersion.version).toBe('v3');
    await fixture.drop(crd);
  });
});

test('deleting a definition deletes all its objects, also those that a client creates meanwhile', async () => {
  const fixture = await DefinitionFixture.open();
  try {
    const crd = await fixture.define();
    const statuses = new Set<number>();
    let made = 0;
    let isOver = false;
    const client = async (): Promise<void> => {
      while (!isOver) {
        const { status, json } = await fixture.send('POST', pathOf(crd), instance(crd, `object-${made++}`));
        statuses.add(status);
        if (status === 403) {
          expect(json.message).toContain('create not allowed while custom resource definition is terminating');
        }
      }
    };
    const clients = [client(), client(), client(), client()];
    await fixture.until(`${pathOf(crd)}/object-40`, (object) => object !== undefined);
    await fixture.drop(crd);
    isOver = true;
    await Promise.all(clients);
    expect([...statuses].filter((status) => ![201, 403, 404].includes(status))).toEqual([]);

    const again = definition({ group: crd.spec.group });
    await fixture.ok('POST', definitions, again);
    await fixture.until(`${definitions}/${again.metadata.name}`, (one) => one.status?.conditions?.length > 1);
    expect(await fixture.ok('GET', pathOf(again))).toMatchObject({ items: [] });
  } finally {
    await fixture.close();
  }
});

test('a server without built-in kinds serves definitions and their objects', async () => {
  const fixture = await DefinitionFixture.open('memory', { builtin: false });
  try {
    const crd = await fixture.define({ versions: [version('v1', { schema: described('alone'), subresources: {} })] });
    const watch = await fixture.fixture.watch(pathOf(crd));
    const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'one'));
    expect((await watch.next())?.object).toEqual(made);
    watch.close();
    const applied = instance(crd, 'two');
    await fixture.ok('PATCH', `${pathOf(crd)}/two?fieldManager=me`, applied, 'application/apply-patch+yaml');
    expect((await fixture.ok('GET', pathOf(crd))).items).toHaveLength(2);
    expect(await documentsOf(fixture, crd)).toMatchObject({ v3: 'alone', v2: 'alone', resources: ['foos'] });
    const { last } = await fixture.drop(crd);
    expect(last.metadata.name).toBe(crd.metadata.name);
    expect((await fixture.get(pathOf(crd))).status).toBe(404);
  } finally {
    await fixture.close();
  }
});
