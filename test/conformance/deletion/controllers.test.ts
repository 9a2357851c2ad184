import { afterEach, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { storages } from '../../support/object-fixture.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { type Body, collectionsIn, DeletionFixture, ownedBy } from './deletion-fixture.ts';

const namespaces = '/api/v1/namespaces';
const rootCertificates = 'kube-root-ca.crt';

describe.each(storages)('controllers (%s)', (storage) => {
  let fixture: DeletionFixture | undefined;
  afterEach(async () => {
    await fixture?.close();
    fixture = undefined;
  });

  const open = async (controllers?: string[]): Promise<DeletionFixture> => {
    fixture = await DeletionFixture.open(storage, { controllers });
    return fixture;
  };

  test('that create objects in namespaces create none when they are off', async () => {
    const { in: place, name } = await (await open([...(quietNamespaces.controllers ?? [])])).namespace();
    for (const path of [place.maps, place.accounts]) expect((await fixture?.get(path))?.json.items).toEqual([]);
    await fixture?.delete(`${namespaces}/${name}`);
    await fixture?.gone(`${namespaces}/${name}`);
  });

  test('that are disabled change nothing', async () => {
    const server = await open(['-garbage-collector-controller', '-namespace-controller']);
    const { in: place, name } = await server.namespace();
    const owner = await server.create(place.maps, 'owner');
    await server.create(place.maps, 'dependent', {}, { ownerReferences: [ownedBy(owner)] });
    const { json } = await server.delete(`${place.maps}/owner`, { propagationPolicy: 'Foreground' });
    expect(json.metadata.finalizers).toEqual(['foregroundDeletion']);
    await server.delete(`${namespaces}/${name}`);
    // time for all controllers to act
    for (let i = 0; i < 20; i++) await server.get(`${namespaces}/${name}`);
    expect((await server.get(`${namespaces}/${name}`)).json.status).toEqual({ phase: 'Terminating' });
    expect((await server.get(place.maps)).json.items).toHaveLength(2);
  });

  test('serviceaccount-controller: every namespace has the service account default', async () => {
    const server = await open(['*', 'serviceaccount-controller']);
    const { in: place, name } = await server.namespace();
    for (const each of ['default', 'kube-system', name]) {
      await server.until(`${collectionsIn(each).accounts}/default`, (object) => object !== undefined);
    }
    const { uid } = (await server.get(`${place.accounts}/default`)).json.metadata;
    await server.delete(`${place.accounts}/default`);
    await server.until(`${place.accounts}/default`, (object) => object !== undefined && object.metadata.uid !== uid);
    await server.delete(`${namespaces}/${name}`);
    await server.gone(`${namespaces}/${name}`);
    expect((await server.get(place.accounts)).json.items).toEqual([]);
  });

  test('[sig-auth] ServiceAccounts should guarantee kube-root-ca.crt exist in any namespace', async () => {
    const server = await open(['*', 'root-ca-certificate-publisher-controller']);
    const { in: place } = await server.namespace();
    const path = `${place.maps}/${rootCertificates}`;
    const isPublished = (object: Body | undefined): boolean =>
      object?.data?.['ca.crt'] === server.fixture.server.caCertificate &&
      Object.keys(object.data).length === 1 &&
      /^Contains a CA bundle/.test(object.metadata.annotations['kubernetes.io/description']);
    await server.until(path, isPublished);
    const { uid } = (await server.get(path)).json.metadata;
    await server.delete(path);
    await server.until(path, (object) => isPublished(object) && object?.metadata.uid !== uid);
    await server.patch(path, { data: { 'ca.crt': '', extra: 'x' }, metadata: { annotations: null } });
    await server.until(path, isPublished);
  });

  test('a server runs without any controllers', async () => {
    const { in: place } = await (await open([''])).namespace();
    await fixture?.create(place.maps, 'a');
    expect((await fixture?.delete(`${place.maps}/a`))?.status).toBe(200);
  });
});

test('unknown names of controllers are rejected in one line', async () => {
  await expect(startServer({ controllers: ['*,cloud-node-lifecycle-controller', '-nobody'] })).rejects.toThrow(
    /^--controllers: "cloud-node-lifecycle-controller", "nobody" is not in the list of known controllers: [a-z-]+(, [a-z-]+)+$/,
  );
});
