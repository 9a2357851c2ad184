import { describe, expect, test } from '@jest/globals';
import { type Any, DefinitionFixture, definitions, instance, openSchema, pathOf, storages, version } from './definition-fixture.ts';

/** Returns v1, which is stored, and v2 with these fields of spec. A field of only one version is lost in the other. */
const twoVersions = (v1: object, v2: object) => [version('v1', { schema: specOf(v1) }), version('v2', { schema: specOf(v2) })];
const specOf = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
const text = (value?: string) => ({ type: 'string', ...(value === undefined ? {} : { default: value }) });

const merge = 'application/merge-patch+json';

const versionAndGeneration = ({ metadata }: Any) => [metadata.resourceVersion, metadata.generation];

describe.each(storages)('a stored custom resource in %s storage', (storage) => {
  const fixture = DefinitionFixture.forSuite(storage);

  test('gets the defaults of the storage version whenever it is read', async () => {
    const crd = await fixture.define({ versions: twoVersions({ a: text(), b: text('1') }, { a: text() }) });
    const [v1, v2] = ['v1', 'v2'].map((at) => `${pathOf(crd, at)}/x`);
    await fixture.ok('POST', pathOf(crd, 'v2'), instance(crd, 'x', { spec: { a: 'a' } }, 'v2'));
    const spec = { a: 'a', b: '1' };
    const read = await fixture.ok('GET', v1);
    expect(read.spec).toEqual(spec);
    expect((await fixture.ok('GET', pathOf(crd, 'v1'))).items[0].spec).toEqual(spec);
    const watch = await fixture.fixture.watch(pathOf(crd, 'v1'));
    expect((await watch.take(1))[0].object.spec).toEqual(spec);
    watch.close();
    // the first write at the storage version stores the defaults, the second one changes nothing
    const first = await fixture.merge(v1, {});
    expect(first.spec).toEqual(spec);
    expect(first.metadata.resourceVersion).not.toBe(read.metadata.resourceVersion);
    expect(versionAndGeneration(await fixture.merge(v1, {}))).toEqual(versionAndGeneration(first));
    // v2 does not have b, so a write there stores the object without it
    const unstored = await fixture.merge(v2, {});
    expect(versionAndGeneration(unstored)).not.toEqual(versionAndGeneration(first));
    expect(versionAndGeneration(await fixture.merge(v2, {}))).toEqual(versionAndGeneration(unstored));
    expect((await fixture.ok('GET', v1)).spec).toEqual(spec);
  });

  test('has the default of a status that creation drops', async () => {
    const properties = { status: { type: 'object', properties: { a: text() }, default: { a: 'new' } } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    const crd = await fixture.define({ versions: [version('v1', { schema, subresources: { status: {} } })] });
    const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { status: { a: 'sent' } }));
    expect([made.status, (await fixture.ok('GET', `${pathOf(crd)}/x`)).status]).toEqual([{ a: 'new' }, { a: 'new' }]);
    const patched = await fixture.merge(`${pathOf(crd)}/x`, {});
    expect([patched.status, patched.metadata.generation]).toEqual([{ a: 'new' }, 1]);
    expect(patched.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
  });

  test('keeps the empty metadata of an apply until the next write, and reads do not show it', async () => {
    const crd = await fixture.define();
    const config = instance(crd, 'x', { spec: {} });
    Object.assign(config.metadata, { labels: {}, annotations: null, finalizers: [] });
    const path = `${pathOf(crd)}/x`;
    const made = await fixture.ok('PATCH', `${path}?fieldManager=m`, config, 'application/apply-patch+yaml');
    for (const { metadata } of [made, await fixture.ok('GET', path), (await fixture.ok('GET', pathOf(crd))).items[0]]) {
      expect(Object.keys(metadata)).toEqual(expect.not.arrayContaining(['labels', 'annotations', 'finalizers']));
    }
    // the same apply writes each time, though no client sees a change
    const again = await fixture.ok('PATCH', `${path}?fieldManager=m`, config, 'application/apply-patch+yaml');
    expect(again.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    const first = await fixture.merge(path, {});
    expect(first.metadata.resourceVersion).not.toBe(again.metadata.resourceVersion);
    expect(versionAndGeneration(await fixture.merge(path, {}))).toEqual(versionAndGeneration(first));
  });

  test('keeps the nulls of embedded metadata of an apply until the next write, and reads do not show them', async () => {
    const embedded = { ...openSchema.openAPIV3Schema, 'x-kubernetes-embedded-resource': true };
    const crd = await fixture.define({ versions: [version('v1', { schema: specOf({ one: embedded }) })] });
    const path = `${pathOf(crd)}/x`;
    const one = (metadata: object) => ({ spec: { one: { apiVersion: 'v1', kind: 'Pod', metadata } } });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x', one({})));
    const config = instance(crd, 'x', one({ name: null, labels: {}, creationTimestamp: null }));
    const made = await fixture.ok('PATCH', `${path}?fieldManager=m`, config, 'application/apply-patch+yaml');
    expect([made.spec, made.metadata.generation]).toEqual([one({}).spec, 2]);
    expect((await fixture.ok('GET', path)).spec).toEqual(one({}).spec);
    const first = await fixture.merge(path, {});
    expect(first.metadata).toMatchObject({ generation: 2 });
    expect(first.metadata.resourceVersion).not.toBe(made.metadata.resourceVersion);
    expect(versionAndGeneration(await fixture.merge(path, {}))).toEqual(versionAndGeneration(first));
  });

  test('does not change with fields that it cannot have, though the generation may', async () => {
    const crd = await fixture.define({ versions: twoVersions({ a: text() }, { a: text(), here: text() }) });
    const made = await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'x', { spec: { a: 'a' } }));
    const path = `${pathOf(crd, 'v2')}/x`;
    for (const query of ['?dryRun=All', '']) {
      const patched = await fixture.merge(path + query, { spec: { here: 'h' } });
      expect([patched.spec, patched.metadata.generation]).toEqual([{ a: 'a' }, 2]);
    }
    const dry = await fixture.ok('POST', `${pathOf(crd, 'v2')}?dryRun=All`, instance(crd, 'y', { spec: { here: 'h' } }, 'v2'));
    expect(dry.spec).toEqual({});
    expect((await fixture.ok('GET', path)).metadata.uid).toBe(made.metadata.uid);
  });

  test('gets no defaults of another version from an apply that changes nothing', async () => {
    const crd = await fixture.define({ versions: twoVersions({ a: text() }, { a: text(), here: text('h') }) });
    await fixture.ok('POST', pathOf(crd, 'v1'), instance(crd, 'x', { spec: { a: 'a' } }));
    const path = `${pathOf(crd, 'v2')}/x`;
    const config = instance(crd, 'x', {}, 'v2');
    const apply = (manager: string) => fixture.ok('PATCH', `${path}?fieldManager=${manager}`, config, 'application/apply-patch+yaml');
    expect((await apply('m')).metadata.generation).toBe(1);
    // for the manager kubectl, the server updates this annotation
    const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
    await fixture.merge(`${pathOf(crd, 'v1')}/x`, { metadata: { annotations: { [lastApplied]: '{}' } } });
    const { metadata } = await apply('kubectl');
    expect([metadata.generation, metadata.annotations[lastApplied]]).toEqual([1, expect.stringContaining('/v2')]);
  });

  test('loses its managers when a write would change the status to another type, and has none if created so', async () => {
    const properties = { status: { type: 'object', properties: { list: { type: 'array', items: text() } } } };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    const crd = await fixture.define({ versions: [version('v1', { schema, subresources: { status: {} } })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x', {}, 'v1'));
    await fixture.merge(`${pathOf(crd)}/x/status`, { status: { list: ['a'] } });
    const { status, metadata } = await fixture.merge(`${pathOf(crd)}/x`, { status: { list: 'a' } });
    expect([status, metadata.managedFields]).toEqual([{ list: ['a'] }, undefined]);
    const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'y', { status: { list: 'a' } }));
    expect([made.status, made.metadata.managedFields]).toEqual([undefined, undefined]);
  });

  test('that a new schema does not allow loses its managers, and cannot be applied until it is mended', async () => {
    const specs = [
      { a: text(), b: text() },
      { a: { type: 'integer' }, b: text() },
    ];
    const crd = await fixture.define({ versions: [version('v1', { schema: specOf(specs[0]) })] });
    const path = `${pathOf(crd)}/x`;
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { a: 'a' } }));
    const definition = `${definitions}/${crd.metadata.name}`;
    await fixture.merge(definition, { spec: { versions: [version('v1', { schema: specOf(specs[1]) })] } });
    // wait until the new schema is served
    const dryRun = () => fixture.send('PATCH', `${path}?dryRun=All`, { spec: { a: 'b' } }, merge);
    while ((await dryRun()).status !== 422);
    const { metadata } = await fixture.merge(path, { metadata: { labels: { a: 'b' } } });
    expect(metadata).toEqual(expect.not.objectContaining({ managedFields: expect.anything() }));
    const config = JSON.stringify(instance(crd, 'x', { spec: { b: 'b' } }));
    const apply = () => fixture.send('PATCH', `${path}?fieldManager=m`, config, 'application/apply-patch+yaml');
    expect((await apply()).json).toMatchObject({
      code: 500,
      message: `failed to create manager for existing fields: failed to convert new object (default/x; ${crd.spec.group}/v1, Kind=Foo) to smd typed: .spec.a: expected numeric (int or float), got string`,
    });
    await fixture.merge(path, { spec: { a: 1 } });
    expect((await apply()).status).toBe(200);
  });

  test('has no manager of replicas after a PUT of a Scale that does not name its kind', async () => {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
    const crd = await fixture.define({ versions: [version('v1', { subresources: { scale } })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: { a: 1, replicas: 1 } }));
    const path = `${pathOf(crd)}/x`;
    await fixture.ok('PUT', `${path}/scale`, { metadata: { name: 'x' }, spec: { replicas: 2 } });
    const { metadata, spec } = await fixture.ok('GET', path);
    expect(spec).toEqual({ a: 1, replicas: 2 });
    expect(metadata.managedFields.map(({ fieldsV1 }: Any) => fieldsV1)).toEqual([{ 'f:spec': { '.': {}, 'f:a': {} } }]);
  });

  test('shows the resourceVersion and the selfLink of a dry creation', async () => {
    const crd = await fixture.define();
    const config = instance(crd, 'x');
    Object.assign(config.metadata, { resourceVersion: '7', selfLink: '/x' });
    const path = `${pathOf(crd)}/x?fieldManager=m`;
    const apply = async (query: string) => (await fixture.ok('PATCH', path + query, config, 'application/apply-patch+yaml')).metadata;
    expect(await apply('&dryRun=All')).toMatchObject({ resourceVersion: '7', selfLink: '/x' });
    const post = await fixture.ok('POST', `${pathOf(crd)}?dryRun=All`, config);
    expect([post.metadata.resourceVersion, post.metadata.selfLink]).toEqual(['7', undefined]);
    const made = await apply('');
    expect([made.resourceVersion === '7', made.selfLink]).toEqual([false, undefined]);
  });

  test('shows the selfLink of a dry run only', async () => {
    const crd = await fixture.define();
    const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'x'));
    made.metadata.selfLink = '/x';
    for (const [query, want] of [
      ['?dryRun=All', '/x'],
      ['', undefined],
    ]) {
      expect((await fixture.ok('PUT', `${pathOf(crd)}/x${query}`, made)).metadata.selfLink).toBe(want);
    }
  });

  test('loses its managers when it cannot be converted to the version of one, and an apply fails', async () => {
    const crd = await fixture.define({ versions: twoVersions({ a: text() }, { a: text(), here: text() }) });
    const path = `${pathOf(crd, 'v2')}/x`;
    const config = { ...instance(crd, 'x', { spec: { a: 'b', here: 'h' } }, 'v2') };
    const made = await fixture.ok('POST', `${pathOf(crd, 'v1')}?fieldManager=one`, instance(crd, 'x', { spec: { a: 'a' } }));
    expect(made.metadata.managedFields).toHaveLength(1);
    const apply = () => fixture.send('PATCH', `${path}?fieldManager=two&force=true`, config, 'application/apply-patch+yaml');
    const refused = await apply();
    expect([refused.status, refused.json.message]).toEqual([500, 'failed to convert new object: .spec.here: field not declared in schema']);
    expect((await fixture.merge(path, { spec: { here: 'h' } })).metadata.managedFields).toBeUndefined();
    expect((await fixture.merge(path, { spec: { a: 'c' } })).metadata.managedFields).toBeUndefined();
    const applied = (await apply()).json;
    expect([applied.spec, applied.metadata.managedFields.map(({ manager }: Any) => manager)]).toEqual([
      { a: 'b' },
      ['two', 'before-first-apply'],
    ]);
  });

  test('has managers of its status that own its labels', async () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } };
    const crd = await fixture.define({ versions: [version('v1', { schema, subresources: { status: {} } })] });
    await fixture.ok('POST', pathOf(crd), instance(crd, 'x'));
    const config = instance(crd, 'x', { status: { a: 1 } });
    config.metadata.labels = { l: 'v' };
    const path = `${pathOf(crd)}/x/status?fieldManager=m`;
    const { metadata } = await fixture.ok('PATCH', path, config, 'application/apply-patch+yaml');
    expect(metadata.labels).toBeUndefined();
    expect(metadata.managedFields.at(-1).fieldsV1).toEqual({ 'f:metadata': { 'f:labels': { 'f:l': {} } }, 'f:status': { 'f:a': {} } });
  });

  test('has no manager of metadata that only the server sets', async () => {
    const crd = await fixture.define();
    const sent = instance(crd, 'x', { spec: {} });
    Object.assign(sent.metadata, { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 });
    const { metadata } = await fixture.ok('POST', pathOf(crd), sent);
    expect(metadata.managedFields[0].fieldsV1).toEqual({ 'f:spec': {} });
  });

  test('has defaults of embedded resources with the metadata of ObjectMeta, and so has the definition', async () => {
    const embedded = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const metadata = { name: 'n', creationTimestamp: null };
    const value = { apiVersion: 'v1', kind: 'Pod', metadata };
    const crd = await fixture.define({
      versions: [version('v1', { schema: specOf({ one: { ...embedded, default: value } }) })],
    });
    const want = { ...value, metadata: { name: 'n' } };
    expect(crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.one.default).toEqual(want);
    const made = await fixture.ok('POST', pathOf(crd), instance(crd, 'x', { spec: {} }));
    expect(made.spec.one).toEqual(want);
  });

  test('is deleted with its collection in the order of the list, and the empty partial list has null items', async () => {
    const crd = await fixture.define();
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      const one = instance(crd, name);
      if (name === 'b' || name === 'c') one.metadata.finalizers = ['example.com/hold'];
      await fixture.ok('POST', pathOf(crd), one);
    }
    const watch = await fixture.fixture.watch(pathOf(crd));
    await watch.take(4);
    await fixture.ok('DELETE', pathOf(crd));
    const events = await watch.take(4);
    watch.close();
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'DELETED a',
      'MODIFIED b',
      'MODIFIED c',
      'DELETED d',
    ]);
    for (const type of ['json', 'yaml']) {
      const accept = `application/${type};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;
      const { body } = await fixture.get(pathOf(crd), { labelSelector: 'none' }, accept);
      expect(String(body)).toMatch(/"?items"?: ?null/);
    }
  });
});
