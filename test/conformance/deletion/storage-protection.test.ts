import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DeletionFixture } from './deletion-fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const classes = '/apis/storage.k8s.io/v1/volumeattributesclasses';
const pods = '/api/v1/namespaces/default/pods';

let fixture: DeletionFixture;

beforeAll(async () => {
  fixture = await DeletionFixture.open('memory');
});
afterAll(() => fixture.close());

const claim = (spec: object = {}) => ({
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const pod = (spec: object) => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const claimed = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const isTerminating = async (path: string): Promise<boolean> => (await fixture.get(path)).json.metadata.deletionTimestamp !== undefined;

test('a claim is deleted when no pod on a node has it any longer', async () => {
  for (const name of ['free', 'waiting', 'used']) await fixture.create(claims, name, claim());
  await fixture.create(pods, 'pending', pod(claimed('waiting')));
  await fixture.create(pods, 'running', pod({ ...claimed('used'), nodeName: 'n' }));
  for (const name of ['used', 'waiting', 'free']) await fixture.delete(`${claims}/${name}`);
  for (const name of ['free', 'waiting']) await fixture.gone(`${claims}/${name}`);
  expect(await isTerminating(`${claims}/used`)).toBe(true);
  await fixture.delete(`${pods}/running`, { gracePeriodSeconds: 0 });
  await fixture.gone(`${claims}/used`);
});

test('a claim of a pod’s template is deleted after the pod', async () => {
  const ephemeral = { volumeClaimTemplate: claim() };
  const owner = await fixture.create(pods, 'p', pod({ nodeName: 'n', volumes: [{ name: 'v', ephemeral }] }));
  const { uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true }];
  await fixture.create(claims, 'p-v', claim(), { ownerReferences });
  await fixture.delete(`${claims}/p-v`);
  await fixture.create(claims, 'other', claim());
  await fixture.delete(`${claims}/other`);
  await fixture.gone(`${claims}/other`);
  expect(await isTerminating(`${claims}/p-v`)).toBe(true);
  await fixture.delete(`${pods}/p`, { gracePeriodSeconds: 0 });
  await fixture.gone(`${claims}/p-v`);
});

test('a volume is deleted when it is not bound', async () => {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
  for (const name of ['bound', 'free']) await fixture.create(volumes, name, { spec });
  const setPhase = (phase: string) =>
    fixture.fixture.client.send('PATCH', `${volumes}/bound/status`, JSON.stringify({ status: { phase } }), 'application/merge-patch+json');
  await setPhase('Bound');
  for (const name of ['bound', 'free']) await fixture.delete(`${volumes}/${name}`);
  await fixture.gone(`${volumes}/free`);
  expect(await isTerminating(`${volumes}/bound`)).toBe(true);
  await setPhase('Released');
  await fixture.gone(`${volumes}/bound`);
});

test('an attributes class is deleted when no claim has it', async () => {
  for (const name of ['fast', 'free']) await fixture.create(classes, name, { driverName: 'd', parameters: { a: 'b' } });
  await fixture.create(claims, 'fast', claim({ volumeAttributesClassName: 'fast' }));
  for (const name of ['fast', 'free']) await fixture.delete(`${classes}/${name}`);
  await fixture.gone(`${classes}/free`);
  expect(await isTerminating(`${classes}/fast`)).toBe(true);
  await fixture.delete(`${claims}/fast`);
  await fixture.gone(`${classes}/fast`);
});
