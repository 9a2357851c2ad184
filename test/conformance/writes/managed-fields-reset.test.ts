import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const collection = '/api/v1/namespaces/default/configmaps';

describe('an empty list of managed fields', () => {
  let fixture: WriteFixture;
  let count = 0;
  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  /** Creates an object that a manager owns. */
  async function create(): Promise<string> {
    const name = `c${count++}`;
    await fixture.create(collection, { metadata: { name }, data: { a: '1' } });
    return `${collection}/${name}`;
  }

  const empty = { metadata: { managedFields: [] } };
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['PUT', (path) => fixture.put(path, { metadata: { name: path.split('/').at(-1), managedFields: [] }, data: { a: '1' } })],
    ['JSON patch', (path) => fixture.patch('json', path, [{ op: 'replace', path: '/metadata/managedFields', value: [] }])],
    ['JSON patch of the only entry', (path) => fixture.patch('json', path, [{ op: 'remove', path: '/metadata/managedFields/0' }])],
    ['merge patch', (path) => fixture.patch('merge', path, empty)],
    ['strategic merge patch', (path) => fixture.patch('strategic', path, empty)],
  ])('takes a %s as the removal of all managers', async (_title, write) => {
    const path = await create();
    expect((await fixture.get(path)).json.metadata.managedFields).toHaveLength(1);
    await write(path);
    expect((await fixture.get(path)).json.metadata.managedFields).toBeUndefined();
    const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { a: '2' } };
    const { status, json } = await fixture.patch('apply', `${path}?fieldManager=m`, applied);
    expect([status, json.message]).toEqual([409, 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a']);
  });

  test('is ignored in a creation', async () => {
    const { json } = await fixture.create(collection, {
      metadata: { name: 'new', managedFields: [] },
      data: { a: '1' },
    });
    expect(json.metadata.managedFields).toHaveLength(1);
  });
});
