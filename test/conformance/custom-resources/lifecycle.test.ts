import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  type Any,
  conditionOf,
  DefinitionFixture,
  definition,
  definitions,
  freshGroup,
  instance,
  pathOf,
  storages,
  version,
} from './definition-fixture.ts';

/** A manual clock that reports the start of a one-minute timer. */
class MinuteClock extends ManualClock {
  #waiting: (() => void) | undefined;

  nextMinute(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  override after(ms: number, callback: () => void): () => void {
    if (ms === 60_000) this.#waiting?.();
    return super.after(ms, callback);
  }
}

const approved = (crd: Any): Any => {
  crd.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
  return crd;
};

describe.each(storages)('a definition in %s storage', (storage) => {
  const fixture = DefinitionFixture.forSuite(storage);

  test('gets conditions for its names, then for being established', async () => {
    const crd = await fixture.define({ names: { shortNames: ['fo'], categories: ['all'] } });
    expect(crd.status).toMatchObject({
      acceptedNames: { plural: 'foos', singular: 'foo', shortNames: ['fo'], kind: 'Foo', listKind: 'FooList' },
      storedVersions: ['v1'],
    });
    expect(conditionOf(crd, 'NamesAccepted')).toMatchObject({
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    });
    expect(conditionOf(crd, 'Established')).toMatchObject({
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    });
    expect(crd.metadata.generation).toBe(1);
  });

  test('is not served before it is established', async () => {
    const unknown = definition();
    expect((await fixture.get(pathOf(unknown))).status).toBe(404);
    const crd = await fixture.define();
    expect(await fixture.ok('GET', pathOf(crd))).toMatchObject({ kind: 'FooList', items: [] });
  });

  test.each([
    ['SingularConflict', { plural: 'bars', singular: 'foo', kind: 'Bar', listKind: 'BarList' }, '"foo" is already in use'],
    [
      'ShortNamesConflict',
      { plural: 'bars', singular: 'bar', kind: 'Bar', listKind: 'BarList', shortNames: ['foos', 'b', 'foo'] },
      '["foos" is already in use, "foo" is already in use]',
    ],
    ['KindConflict', { plural: 'bars', singular: 'bar', kind: 'Foo', listKind: 'BarList' }, '"Foo" is already in use'],
    ['ListKindConflict', { plural: 'bars', singular: 'bar', kind: 'Bar', listKind: 'FooList' }, '"FooList" is already in use'],
  ])('that claims names of another definition: %s', async (reason, names, message) => {
    const group = freshGroup();
    const first = await fixture.define({ group });
    const second = definition({ group, names });
    await fixture.ok('POST', definitions, second);
    const path = `${definitions}/${second.metadata.name}`;
    const updated = await fixture.until(path, (crd) => conditionOf(crd, 'NamesAccepted') !== undefined);
    expect(conditionOf(updated, 'NamesAccepted')).toMatchObject({ status: 'False', reason, message });
    expect(conditionOf(updated, 'Established')).toMatchObject({ status: 'False', reason: 'NotAccepted' });
    expect((await fixture.get(pathOf(second))).status).toBe(404);

    await fixture.drop(first);
    const accepted = await fixture.until(path, (crd) => conditionOf(crd, 'Established')?.status === 'True');
    expect(conditionOf(accepted, 'NamesAccepted').status).toBe('True');
    expect((await fixture.get(pathOf(second))).status).toBe(200);
  });

  test('cannot claim the names of a built-in resource', async () => {
    const crd = approved(definition({ group: 'networking.k8s.io', kind: 'Wheel', names: { kind: 'Ingress' } }));
    await fixture.ok('POST', definitions, crd);
    const path = `${definitions}/${crd.metadata.name}`;
    const updated = await fixture.until(path, (one) => conditionOf(one, 'NamesAccepted'));
    expect(conditionOf(updated, 'NamesAccepted')).toMatchObject({ status: 'False', reason: 'KindConflict' });
    await fixture.drop(crd);
  });

  test('shares a group and a version with built-in resources and other definitions', async () => {
    const crd = approved(definition({ group: 'networking.k8s.io', kind: 'Wheel' }));
    await fixture.ok('POST', definitions, crd);
    await fixture.until(`${definitions}/${crd.metadata.name}`, (one) => conditionOf(one, 'Established')?.status === 'True');
    const { resources } = await fixture.ok('GET', '/apis/networking.k8s.io/v1');
    expect(resources.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['ingresses', 'wheels']));
    expect(await fixture.ok('POST', pathOf(crd), instance(crd, 'a'))).toMatchObject({ kind: 'Wheel' });
    await fixture.drop(crd);
    expect((await fixture.get(pathOf(crd))).status).toBe(404);
    expect((await fixture.get('/apis/networking.k8s.io/v1/ingresses')).status).toBe(200);
  });

  test('in a protected group names its approval', async () => {
    const group = `${freshGroup()}.k8s.io`;
    const crd = definition({ group });
    crd.metadata.annotations = { 'api-approved.kubernetes.io': 'unapproved, an experiment' };
    await fixture.ok('POST', definitions, crd);
    const updated = await fixture.until(`${definitions}/${crd.metadata.name}`, (one) =>
      conditionOf(one, 'KubernetesAPIApprovalPolicyConformant'),
    );
    expect(conditionOf(updated, 'KubernetesAPIApprovalPolicyConformant')).toMatchObject({
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: 'not approved: "unapproved, an experiment"',
    });
  });

  test('cannot be updated while it is deleted, and deletes its objects', async () => {
    const crd = await fixture.define();
    for (const name of ['a', 'b', 'c']) await fixture.ok('POST', pathOf(crd), instance(crd, name));
    const watch = await fixture.fixture.watch(pathOf(crd));
    await watch.take(3);
    const { response: marked, last } = await fixture.drop(crd);
    expect(marked.metadata).toMatchObject({
      generation: 1,
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    });
    expect(conditionOf(marked, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionPending' });
    expect(conditionOf(last, 'Terminating')).toMatchObject({
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    const events = await watch.rest();
    expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual(['DELETED a', 'DELETED b', 'DELETED c']);
    expect((await fixture.get(pathOf(crd))).status).toBe(404);
    expect((await fixture.get(`/apis/${crd.spec.group}`)).status).toBe(404);
  });

  test('waits for objects with finalizers and allows no new objects', async () => {
    const crd = await fixture.define();
    const held = instance(crd, 'held');
    held.metadata.finalizers = ['example.com/hold'];
    await fixture.ok('POST', pathOf(crd), held);
    const path = `${definitions}/${crd.metadata.name}`;
    const gone = fixture.drop(crd);
    await fixture.until(path, (one) => conditionOf(one, 'Terminating')?.reason === 'InstanceDeletionInProgress');
    const rejected = await fixture.send('POST', pathOf(crd), instance(crd, 'late'));
    expect(rejected.json).toMatchObject({
      code: 403,
      message: `foos.${crd.spec.group} "late" is forbidden: create not allowed while custom resource definition is terminating`,
    });
    const { resources } = await fixture.ok('GET', `/apis/${crd.spec.group}/v1`);
    expect(resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    await fixture.merge(`${pathOf(crd)}/held`, { metadata: { finalizers: null } });
    await gone;
  });

  test('says after a minute that objects with finalizers remain, and goes on waiting', async () => {
    const clock = new MinuteClock();
    const slow = await DefinitionFixture.open('memory', { clock });
    const crd = await slow.define();
    const held = instance(crd, 'held');
    held.metadata.finalizers = ['example.com/hold'];
    await slow.ok('POST', pathOf(crd), held);
    const path = `${definitions}/${crd.metadata.name}`;
    const reasonIs = (reason: string) => slow.until(path, (one) => conditionOf(one, 'Terminating')?.reason === reason);
    const waits = clock.nextMinute();
    await slow.ok('DELETE', path);
    await waits;
    const inProgress = reasonIs('InstanceDeletionInProgress');
    const check = reasonIs('InstanceDeletionCheck');
    await inProgress;
    clock.advance(60_000);
    expect(conditionOf(await check, 'Terminating')).toMatchObject({
      status: 'True',
      message: 'could not confirm zero CustomResources remaining: context deadline exceeded',
    });
    await slow.close();
  });

  test('with an invalid CA bundle is established once the bundle is mended', async () => {
    const webhookOf = (text: string): object => ({
      strategy: 'Webhook',
      webhook: {
        clientConfig: { url: 'https://127.0.0.1:1', caBundle: Buffer.from(text).toString('base64') },
        conversionReviewVersions: ['v1'],
      },
    });
    const crd = definition({ conversion: webhookOf(' \n') });
    await fixture.ok('POST', definitions, crd);
    const path = `${definitions}/${crd.metadata.name}`;
    const held = await fixture.until(path, (one) => conditionOf(one, 'Established'));
    expect(conditionOf(held, 'NamesAccepted').status).toBe('True');
    expect(conditionOf(held, 'Established')).toMatchObject({
      status: 'False',
      reason: 'InvalidCABundle',
      message: 'The conversion webhook CABundle is invalid',
    });
    expect((await fixture.get(pathOf(crd))).status).toBe(404);
    await fixture.merge(path, { spec: { conversion: webhookOf('') } });
    const mended = await fixture.until(path, (one) => conditionOf(one, 'Established').status === 'True');
    expect(conditionOf(mended, 'Established').reason).toBe('InitialNamesAccepted');
  });

  test('that was never established is deleted at once', async () => {
    const group = freshGroup();
    await fixture.define({ group });
    const second = definition({ group, names: { plural: 'bars', singular: 'bar', listKind: 'BarList' } });
    await fixture.ok('POST', definitions, second);
    const path = `${definitions}/${second.metadata.name}`;
    await fixture.until(path, (crd) => conditionOf(crd, 'NamesAccepted')?.status === 'False');
    const { last } = await fixture.drop(second);
    expect(conditionOf(last, 'Established').status).toBe('False');
    expect((await fixture.get(path)).status).toBe(404);
  });

  test('can be created again under its name, with another scope', async () => {
    const group = freshGroup();
    const first = await fixture.define({ group });
    await fixture.ok('POST', pathOf(first), instance(first, 'a'));
    await fixture.drop(first);
    const second = await fixture.define({ group, scope: 'Cluster' });
    expect((await fixture.ok('GET', pathOf(second))).items).toEqual([]);
    await fixture.ok('POST', pathOf(second), instance(second, 'b'));
    expect((await fixture.ok('GET', pathOf(second))).items).toHaveLength(1);
    expect(await fixture.ok('GET', `${pathOf(second)}/b`)).toMatchObject({ metadata: { name: 'b' } });
  });

  test('that stops serving a version ends the watches of that version only', async () => {
    const crd = await fixture.define({ versions: [version('v1'), version('v2')] });
    const watch = await fixture.fixture.watch(pathOf(crd, 'v2'));
    const path = `${definitions}/${crd.metadata.name}`;
    crd.spec.versions[1].served = false;
    await fixture.merge(path, { spec: { versions: crd.spec.versions } });
    expect(await watch.rest()).toEqual([]);
    expect((await fixture.get(pathOf(crd, 'v2'))).status).toBe(404);
    expect((await fixture.get(pathOf(crd, 'v1'))).status).toBe(200);
  });

  test('is served under its new names when its names change', async () => {
    const crd = await fixture.define();
    const path = `${definitions}/${crd.metadata.name}`;
    await fixture.merge(path, { spec: { names: { ...crd.spec.names, shortNames: ['f', 'fx'] } } });
    const changed = await fixture.until(path, (one) => one.status.acceptedNames.shortNames?.length === 2);
    expect(changed.metadata.generation).toBe(2);
    const { resources } = await fixture.ok('GET', `/apis/${crd.spec.group}/v1`);
    expect(resources[0].shortNames).toEqual(['f', 'fx']);
  });
});

test('definitions are served again after a restart, and objects with the defaults that are not stored', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'definitions-'));
  const options = { storage: 'lmdb', dataDir, unsafeNoFsync: true } as const;
  const schemaOf = (member: object) => ({
    schema: { openAPIV3Schema: { type: 'object', properties: { kept: { type: 'string' }, member } } },
  });
  const versions = [schemaOf({ type: 'string', default: 'd' }), schemaOf({ type: 'string' })];
  const crd = definition({ versions: versions.map((schema, index) => version(`v${index + 1}`, schema)) });
  const bodies = [instance(crd, 'a', { kept: 'k' }, 'v2'), instance(crd, 'b', { kept: 'k' }, 'v1')];
  const first = await startServer(options);
  const before = HttpClient.for(first);
  await before.send('POST', definitions, JSON.stringify(crd), 'application/json');
  for (const [body, at] of [
    [bodies[0], 'v2'],
    [bodies[1], 'v1'],
  ] as const) {
    while ((await before.send('POST', pathOf(crd, at), JSON.stringify(body), 'application/json')).status === 404);
  }
  before.close();
  await first.close();
  const second = await startServer(options);
  const after = HttpClient.for(second);
  const want = (name: string) => ({ kind: 'Foo', metadata: { name }, kept: 'k', member: 'd' });
  expect((await after.get(`${pathOf(crd)}/a`)).json).toMatchObject(want('a'));
  expect((await after.get(pathOf(crd))).json.items).toEqual(
    ['a', 'b'].map((name) => expect.objectContaining({ ...want(name), metadata: expect.objectContaining({ name }) })),
  );
  expect((await after.get(`/apis/${crd.spec.group}/v1`)).status).toBe(200);
  after.close();
  await second.close();
  await rm(dataDir, { recursive: true });
});
