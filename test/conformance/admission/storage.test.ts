import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const storageClasses = '/apis/storage.k8s.io/v1/storageclasses';
const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
const ingressClasses = '/apis/networking.k8s.io/v1/ingressclasses';

let fixture: WriteFixture;
let count = 0;

beforeAll(async () => {
  fixture = await WriteFixture.open();
});
afterAll(() => fixture.close());

const createClass = (path: string, name: string, isDefault: Record<string, string>, rest: object = {}) =>
  fixture.create(path, { metadata: { name, annotations: isDefault }, ...rest });
const storage = (amount: string) => ({ resources: { requests: { storage: amount } } });
const createClaim = (spec: object = {}, annotations: object = {}) =>
  fixture.create(claims, {
    metadata: { name: `claim-${count++}`, annotations },
    spec: { accessModes: ['ReadWriteOnce'], ...storage('1Gi'), ...spec },
  });
const createIngress = (spec: object = {}, annotations: object = {}) =>
  fixture.create(ingresses, {
    metadata: { name: `ingress-${count++}`, annotations },
    spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
  });

describe('the default class', () => {
  const provisioner = { provisioner: 'example.com/disk' };
  const defaultStorage = { 'storageclass.kubernetes.io/is-default-class': 'true' };

  test('of storage is that of claims that name none', async () => {
    expect((await createClaim()).json.spec.storageClassName).toBeUndefined();
    await createClass(storageClasses, 'none', { 'storageclass.kubernetes.io/is-default-class': 'false' }, provisioner);
    expect((await createClaim()).json.spec.storageClassName).toBeUndefined();
    await createClass(storageClasses, 'b', { 'storageclass.beta.kubernetes.io/is-default-class': 'true' }, provisioner);
    expect((await createClaim()).json.spec.storageClassName).toBe('b');
    expect((await createClaim({ storageClassName: '' })).json.spec.storageClassName).toBe('');
    expect((await createClaim({ storageClassName: 'x' })).json.spec.storageClassName).toBe('x');
    const annotated = await createClaim({}, { 'volume.beta.kubernetes.io/storage-class': 'x' });
    expect(annotated.json.spec.storageClassName).toBeUndefined();
  });

  test('of storage follows the classes', async () => {
    await fixture.remove(`${storageClasses}/b`);
    expect((await createClaim()).json.spec.storageClassName).toBeUndefined();
    await createClass(storageClasses, 'c', defaultStorage, provisioner);
    expect((await createClaim()).json.spec.storageClassName).toBe('c');
    await fixture.remove(`${storageClasses}/c`);
  });

  test('of ingresses is that of ingresses that name none', async () => {
    expect((await createIngress()).json.spec.ingressClassName).toBeUndefined();
    const controller = { spec: { controller: 'example.com/web' } };
    await createClass(ingressClasses, 'web', { 'ingressclass.kubernetes.io/is-default-class': 'true' }, controller);
    expect((await createIngress()).json.spec.ingressClassName).toBe('web');
    expect((await createIngress({ ingressClassName: 'x' })).json.spec.ingressClassName).toBe('x');
    const annotated = await createIngress({}, { 'kubernetes.io/ingress.class': 'x' });
    expect(annotated.json.spec.ingressClassName).toBeUndefined();
  });
});

describe('storage in use', () => {
  const volume = { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } };
  const attributes = { driverName: 'd', parameters: { a: 'b' } };
  test.each([
    ['/api/v1/persistentvolumes', volume, 'kubernetes.io/pv-protection'],
    [claims, { spec: { accessModes: ['ReadWriteOnce'], ...storage('1Gi') } }, 'kubernetes.io/pvc-protection'],
    ['/apis/storage.k8s.io/v1/volumeattributesclasses', attributes, 'kubernetes.io/vac-protection'],
  ])('%s get a finalizer, once', async (path, object, finalizer) => {
    const create = (name: string, finalizers: string[]) => fixture.create(path, { metadata: { name, finalizers }, ...object });
    const { status, json } = await create('protected', ['example.com/mine']);
    expect([status, json.metadata.finalizers]).toEqual([201, ['example.com/mine', finalizer]]);
    expect((await create('given', [finalizer])).json.metadata.finalizers).toEqual([finalizer]);
  });
});

describe('a claim grows', () => {
  beforeAll(async () => {
    for (const allowVolumeExpansion of [true, false]) {
      await createClass(storageClasses, String(allowVolumeExpansion), {}, { provisioner: 'd', allowVolumeExpansion });
    }
  });

  async function grown(storageClassName: string, phase: string, amount: string) {
    const { json } = await createClaim({ storageClassName, volumeName: 'v' });
    const path = `${claims}/${json.metadata.name}`;
    await fixture.patch('merge', `${path}/status`, { status: { phase } });
    return fixture.patch('merge', path, { spec: storage(amount) });
  }

  const fixed = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

  test('if it is bound and its class allows it', async () => {
    expect((await grown('true', 'Bound', '2Gi')).status).toBe(200);
    expect((await grown('false', 'Bound', '1024Mi')).status).toBe(200);
  });

  test.each(['false', 'gone', ''])('not with the class "%s"', async (storageClass) => {
    const { status, json } = await grown(storageClass, 'Bound', '2Gi');
    expect([status, json.message]).toEqual([403, `persistentvolumeclaims "${json.details.name}" is forbidden: ${fixed}`]);
  });
});
