import { describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, definitions, instance, pathOf, storages, version } from './definition-fixture.ts';

const textFields = (...names: string[]) => ({
  openAPIV3Schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});

describe.each(storages)('versions of a definition in %s storage', (storage) => {
  const fixture = DefinitionFixture.forSuite(storage);

  const change = (crd: Any, versions: readonly object[]): Promise<Any> =>
    fixture.merge(`${definitions}/${crd.metadata.name}`, { spec: { versions } });

  test('serve one object at each version', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    await fixture.ok('POST', pathOf(crd, 'v2'), instance(crd, 'a', { spec: { x: 1 } }, 'v2'));
    for (const at of ['v1', 'v2']) {
      const want = { apiVersion: `${crd.spec.group}/${at}`, spec: { x: 1 } };
      expect(await fixture.ok('GET', `${pathOf(crd, at)}/a`)).toMatchObject(want);
      expect((await fixture.ok('GET', pathOf(crd, at))).items).toMatchObject([want]);
      const watch = await fixture.fixture.watch(pathOf(crd, at));
      expect((await watch.take(1))[0].object).toMatchObject(want);
      watch.close();
    }
  });

  test('are in discovery in order of their priority', async () => {
    const names = ['v1', 'v1beta1', 'v2alpha1', 'v2', 'v10', 'foo1'];
    const crd = await fixture.define({ versions: names.map((name) => version(name)) });
    const { versions, preferredVersion } = await fixture.ok('GET', `/apis/${crd.spec.group}`);
    expect(versions.map((one: Any) => one.version)).toEqual(['v10', 'v2', 'v1', 'v1beta1', 'v2alpha1', 'foo1']);
    expect(preferredVersion.version).toBe('v10');
  });

  test('prune fields that the stored or the requested version does not know', async () => {
    const crd = await fixture.define({
      versions: [version('v1', { schema: textFields('a', 'b') }), version('v2', { schema: textFields('b', 'c') })],
    });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'one', { a: '1', b: '2' }));
    const seen = await fixture.ok('GET', `${pathOf(crd, 'v2')}/one`);
    expect(seen).toMatchObject({ b: '2' });
    expect(seen.a).toBeUndefined();
    const lost = await fixture.ok('POST', pathOf(crd, 'v2'), instance(crd, 'two', { b: '2', c: '3' }, 'v2'));
    expect(lost.c).toBeUndefined();
  });

  test('stay readable when another version becomes the storage version', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'old', { spec: { x: 1 } }));
    const watch = await fixture.fixture.watch(pathOf(crd, 'v1'));
    await watch.take(1);
    const { status } = await change(crd, [version('v1', { storage: false }), version('v2', { storage: true })]);
    expect(status.storedVersions).toEqual(['v1', 'v2']);
    expect(await watch.rest()).toEqual([]);
    await fixture.ok('POST', pathOf(crd, 'v2'), instance(crd, 'new', { spec: { x: 2 } }, 'v2'));
    for (const at of ['v1', 'v2']) {
      const { items } = await fixture.ok('GET', pathOf(crd, at));
      expect(items.map(({ apiVersion, metadata }: Any) => `${apiVersion} ${metadata.name}`)).toEqual([
        `${crd.spec.group}/${at} new`,
        `${crd.spec.group}/${at} old`,
      ]);
    }
    const later = await fixture.fixture.watch(pathOf(crd, 'v2'));
    await later.take(2);
    await fixture.ok('DELETE', `${pathOf(crd, 'v1')}/old`);
    const [gone] = await later.take(1);
    expect(gone).toMatchObject({ type: 'DELETED', object: { apiVersion: `${crd.spec.group}/v2`, spec: { x: 1 } } });
    later.close();
  });

  test('are rewritten by an update that changes nothing else', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'a', { spec: { x: 1 } }));
    await change(crd, [version('v1', { storage: false }), version('v2', { storage: true })]);
    const before = await fixture.ok('GET', `${pathOf(crd, 'v2')}/a`);
    const after = await fixture.ok('PUT', `${pathOf(crd, 'v2')}/a`, before);
    expect(after).toMatchObject({ spec: { x: 1 }, metadata: { generation: 1 } });
    const path = `${definitions}/${crd.metadata.name}`;
    const got = await fixture.ok('GET', path);
    const moved = await fixture.ok('PUT', `${path}/status`, {
      ...got,
      status: { ...got.status, storedVersions: ['v2'] },
    });
    expect(moved.status.storedVersions).toEqual(['v2']);
    await change(crd, [version('v2', { storage: true })]);
    expect(await fixture.ok('GET', `${pathOf(crd, 'v2')}/a`)).toMatchObject({ spec: { x: 1 } });
  });

  test('that are deprecated warn in every response', async () => {
    const crd = await fixture.define({
      versions: [
        version('v1beta1', { deprecated: true }),
        version('v1alpha1', { deprecated: true, deprecationWarning: 'go away' }),
        version('v1'),
      ],
    });
    const warning = async (at: string) => (await fixture.get(pathOf(crd, at))).headers.warning;
    expect(await warning('v1beta1')).toContain(`${crd.spec.group}/v1beta1 Foo is deprecated; use ${crd.spec.group}/v1 Foo`);
    expect(await warning('v1alpha1')).toContain('go away');
    expect(await warning('v1')).toBeUndefined();
  });

  test('apply a changed schema to objects stored before', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: textFields('a', 'b') })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'one', { a: '1', b: '2' }));
    await change(crd, [version('v1', { schema: textFields('a') })]);
    const seen = await fixture.ok('GET', `${pathOf(crd)}/one`);
    expect(seen.a).toBe('1');
    expect(seen.b).toBeUndefined();
    await fixture.merge(`${pathOf(crd)}/one`, { a: '2' });
    await change(crd, [version('v1', { schema: textFields('a', 'b') })]);
    expect((await fixture.ok('GET', `${pathOf(crd)}/one`)).b).toBeUndefined();
  });

  test('select by fields that were added after the objects', async () => {
    const crd = await fixture.define({ versions: [version('v1', { schema: textFields('a') })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'one', { a: '1' }));
    await fixture.ok('POST', pathOf(crd), instance(crd, 'two', { a: '2' }));
    await change(crd, [version('v1', { schema: textFields('a'), selectableFields: [{ jsonPath: '.a' }] })]);
    await fixture.ok('POST', pathOf(crd), instance(crd, 'three', { a: '1' }));
    const { items } = (await fixture.get(pathOf(crd), { fieldSelector: 'a=1' })).json;
    expect(items.map(({ metadata }: Any) => metadata.name)).toEqual(['one', 'three']);
  });
});
