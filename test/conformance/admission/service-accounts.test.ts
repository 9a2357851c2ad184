import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const namespaces = '/api/v1/namespaces';
const space = `${namespaces}/default`;
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumeName = expect.stringMatching(/^kube-api-access-[b-z2-9]{5}$/);
const container = { name: 'c', image: 'i' };

let count = 0;
let fixture: WriteFixture;

const createPod = (spec: object = {}, metadata: object = {}, place = space) =>
  fixture.create(`${place}/pods`, {
    metadata: { name: `p-${count++}`, ...metadata },
    spec: { containers: [container], ...spec },
  });
const createAccount = (name: string, account: object = {}) =>
  fixture.create(`${space}/serviceaccounts`, { metadata: { name }, ...account });
const refusal = (name: string, why: string): string => `pods "${name}" is forbidden: ${why}`;

describe.each([
  ['on the event loop', {}],
  ['on worker threads', { workerThreshold: 0 }],
])('the service account of a pod, %s', (_where, options) => {
  beforeAll(async () => {
    fixture = await WriteFixture.open({ ...options, controllers: ['*'], enableAdmissionPlugins: ['ServiceAccount'] });
    await createAccount('pulls', { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] });
  });
  afterAll(() => fixture.close());

  test('is default, even in a namespace that has only just been created, with a token in a volume', async () => {
    const name = `new-${count++}`;
    await fixture.create(namespaces, { metadata: { name } });
    const { status, json } = await createPod({ initContainers: [{ ...container, name: 'i' }] }, {}, `${namespaces}/${name}`);
    expect(status).toBe(201);
    const { spec } = json;
    expect(spec).toMatchObject({ serviceAccountName: 'default', serviceAccount: 'default' });
    expect(spec.volumes).toEqual([
      {
        name: volumeName,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
        },
      },
    ]);
    const mount = { name: spec.volumes[0].name, readOnly: true, mountPath };
    for (const one of [...spec.initContainers, ...spec.containers]) expect(one.volumeMounts).toEqual([mount]);
  });

  test('is the one that the pod names, with its pull secrets', async () => {
    const { json } = await createPod({ serviceAccountName: 'pulls' });
    expect(json.spec).toMatchObject({ serviceAccountName: 'pulls', imagePullSecrets: [{ name: 'a' }, { name: 'b' }] });
    const own = await createPod({ serviceAccount: 'pulls', imagePullSecrets: [{ name: 'c' }] });
    expect(own.json.spec).toMatchObject({ serviceAccountName: 'pulls', imagePullSecrets: [{ name: 'c' }] });
  });

  test('must exist', async () => {
    const { status, json } = await createPod({ serviceAccountName: 'none' }, { name: 'p' });
    const why = 'error looking up service account default/none: serviceaccount "none" not found';
    expect([status, json.message]).toEqual([403, refusal('p', why)]);
  });

  test('is not mounted where something else is, and uses a volume that is there', async () => {
    const volumeMounts = [{ name: 'v', mountPath }];
    const taken = await createPod({
      containers: [{ ...container, volumeMounts }],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    expect(taken.json.spec.volumes).toHaveLength(1);
    expect(taken.json.spec.containers[0].volumeMounts).toEqual(volumeMounts);
    const { json } = await createPod({ volumes: [{ name: 'kube-api-access-mine', emptyDir: {} }] });
    expect(json.spec.volumes).toHaveLength(1);
    expect(json.spec.containers[0].volumeMounts).toEqual([{ name: 'kube-api-access-mine', readOnly: true, mountPath }]);
  });

  test('is none for mirror pods, which may not use one', async () => {
    const annotations = { 'kubernetes.io/config.mirror': 'x' };
    const { status, json } = await createPod({ nodeName: 'n' }, { annotations });
    expect([status, json.spec.serviceAccountName, json.spec.volumes]).toEqual([201, undefined, undefined]);
    const token = { sources: [{ serviceAccountToken: { path: 't' } }] };
    for (const [spec, why] of [
      [{ serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
      [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'a mirror pod may not reference secrets'],
      [{ volumes: [{ name: 'v', projected: token }] }, 'a mirror pod may not use ServiceAccountToken volume projections'],
    ] as const) {
      const response = await createPod({ nodeName: 'n', ...spec }, { name: 'm', annotations });
      expect([response.status, response.json.message]).toEqual([403, refusal('m', why)]);
    }
  });

  test('[sig-auth] ServiceAccounts should allow opting out of API token automount', async () => {
    await createAccount('mount', { automountServiceAccountToken: true });
    await createAccount('nomount', { automountServiceAccountToken: false });
    const mounted: Record<string, number> = {};
    for (const serviceAccountName of ['default', 'mount', 'nomount']) {
      for (const automountServiceAccountToken of [undefined, true, false]) {
        const { json } = await createPod({ serviceAccountName, automountServiceAccountToken });
        const { volumeMounts = [] } = json.spec.containers[0];
        mounted[`${serviceAccountName} ${automountServiceAccountToken}`] = volumeMounts.length;
      }
    }
    expect(mounted).toEqual({
      'default undefined': 1,
      'default true': 1,
      'default false': 0,
      'mount undefined': 1,
      'mount true': 1,
      'mount false': 0,
      'nomount undefined': 0,
      'nomount true': 1,
      'nomount false': 0,
    });
  });
});

describe('an account that enforces its secrets', () => {
  const own = { secrets: [{ name: 'own' }], imagePullSecrets: [{ name: 'pull' }] };
  const refused = (kind = 'secret'): string => `is not allowed because service account strict does not reference that ${kind}`;
  const env = (secret: string) => ({ env: [{ name: 'e', valueFrom: { secretKeyRef: { name: secret, key: 'k' } } }] });
  const envFrom = (secret: string) => ({ envFrom: [{ secretRef: { name: secret } }] });
  const withVolume = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] });
  const strict = { serviceAccountName: 'strict' };

  beforeAll(async () => {
    fixture = await WriteFixture.open({ enableAdmissionPlugins: ['ServiceAccount'] });
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await createAccount('strict', { metadata: { name: 'strict', annotations }, ...own });
  });
  afterAll(() => fixture.close());

  test('has pods with these secrets', async () => {
    const { status } = await createPod({
      ...strict,
      ...withVolume('own'),
      imagePullSecrets: [{ name: 'pull' }],
      containers: [{ ...container, ...env('own'), ...envFrom('own') }],
    });
    expect(status).toBe(201);
  });

  test.each([
    [withVolume('other'), `volume with secret.secretName="other" ${refused()}`],
    [{ imagePullSecrets: [{ name: 'own' }] }, `imagePullSecrets[0].name="own" ${refused('imagePullSecret')}`],
    [{ containers: [{ ...container, ...env('x') }] }, `container c with envVar e referencing secret.secretName="x" ${refused()}`],
    [
      { initContainers: [{ ...container, name: 'i', ...envFrom('x') }] },
      `init container i with envFrom referencing secret.secretName="x" ${refused()}`,
    ],
  ])('has no pod with %j', async (spec, why) => {
    const { status, json } = await createPod({ ...strict, ...spec }, { name: 'p' });
    expect([status, json.message]).toEqual([403, refusal('p', why)]);
  });

  test('has no such ephemeral containers', async () => {
    const { json: pod } = await createPod(strict);
    const path = `${space}/pods/${pod.metadata.name}/ephemeralcontainers`;
    const debug = (secret: string) =>
      fixture.patch('strategic', path, { spec: { ephemeralContainers: [{ name: 'd', image: 'i', ...env(secret) }] } });
    const refusedDebug = await debug('x');
    expect([refusedDebug.status, refusedDebug.json.message]).toEqual([
      500,
      `ephemeral container d with envVar e referencing secret.secretName="x" ${refused()}`,
    ]);
    expect((await debug('own')).status).toBe(200);
  });
});
