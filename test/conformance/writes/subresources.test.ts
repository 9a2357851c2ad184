import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownersOf, WriteFixture } from '../../support/write-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const part = (name: string, spec: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });

describe('subresources that change their object', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  describe('binding', () => {
    const binding = (name: string, node?: string, metadata: object = {}) => ({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...metadata },
      target: { kind: 'Node', ...(node === undefined ? {} : { name: node }) },
    });

    test.each([
      ['of the pod', (name: string) => `${pods}/${name}/binding`],
      ['of the namespace', () => '/api/v1/namespaces/default/bindings'],
    ])('%s binds the pod to a node, once', async (of, path) => {
      const name = `bound-${of.slice(-3)}`;
      await fixture.create(pods, pod(name));
      const tried = await fixture.create(`${path(name)}?dryRun=All`, binding(name, 'n1'));
      expect(tried.status).toBe(201);
      expect((await fixture.get(`${pods}/${name}`)).json.spec.nodeName).toBeUndefined();

      const made = await fixture.create(path(name), binding(name, 'n1', { annotations: { by: 'test' } }));
      expect([made.status, made.json]).toEqual([201, expect.objectContaining({ kind: 'Status', status: 'Success' })]);
      const { json } = await fixture.get(`${pods}/${name}`);
      expect([json.spec.nodeName, json.metadata.annotations]).toEqual(['n1', { by: 'test' }]);
      expect(json.status.conditions).toEqual([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]);

      const again = await fixture.create(path(name), binding(name, 'n2'));
      expect([again.status, again.json.message]).toEqual([
        409,
        `Operation cannot be fulfilled on pods/binding "${name}": pod ${name} is already assigned to node "n1"`,
      ]);
    });

    test('is rejected without a node, for another pod, and for an absent pod', async () => {
      await fixture.create(pods, pod('unbound'));
      const at = `${pods}/unbound/binding`;
      const nowhere = await fixture.create(at, binding('unbound'));
      expect([nowhere.status, nowhere.json.message]).toEqual([500, 'target.name: Required value']);
      const other = await fixture.create(at, binding('unbound', 'n1', { uid: 'u-1' }));
      expect([other.status, other.json.message]).toEqual([
        409,
        expect.stringContaining('Precondition failed: UID in precondition: u-1, UID in object meta: '),
      ]);
      const absent = await fixture.create(`${pods}/absent/binding`, binding('absent', 'n1'));
      expect([absent.status, absent.json.message]).toEqual([404, 'pods "absent" not found']);
    });

    test('is rejected for a pod that is being deleted', async () => {
      const { metadata, ...rest } = pod('leaving');
      await fixture.create(pods, { ...rest, metadata: { ...metadata, finalizers: ['example.com/wait'] } });
      await fixture.remove(`${pods}/leaving`);
      const { status, json } = await fixture.create(`${pods}/leaving/binding`, binding('leaving', 'n1'));
      expect([status, json.message]).toEqual([
        409,
        'Operation cannot be fulfilled on pods/binding "leaving": pod leaving is being deleted, cannot be assigned to a host',
      ]);
    });

    test('ends the nomination of a node', async () => {
      await fixture.create(pods, pod('nominated'));
      await fixture.patch('merge', `${pods}/nominated/status`, { status: { nominatedNodeName: 'n2' } });
      await fixture.create(`${pods}/nominated/binding`, binding('nominated', 'n1'));
      expect((await fixture.get(`${pods}/nominated`)).json.status.nominatedNodeName).toBeUndefined();
    });
  });

  describe('ephemeralcontainers', () => {
    const debug = { name: 'debug', image: 'busybox' };

    test('are added by PUT, PATCH and apply, which change nothing else', async () => {
      await fixture.create(pods, pod('debugged'));
      const at = `${pods}/debugged/ephemeralcontainers`;
      const { json: read } = await fixture.get(at);
      expect(read.kind).toBe('Pod');
      const whole = { ...read, spec: { ...read.spec, ephemeralContainers: [debug], activeDeadlineSeconds: 5 } };
      const put = await fixture.put(at, whole);
      expect([put.status, put.json.message]).toEqual([200, undefined]);
      expect(put.json.spec.ephemeralContainers).toEqual([
        expect.objectContaining({
          ...debug,
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
        }),
      ]);
      expect(put.json.spec.activeDeadlineSeconds).toBeUndefined();

      const second = { ephemeralContainers: [{ ...debug, name: 'second' }] };
      const patched = await fixture.patch('strategic', at, { spec: second });
      expect(patched.json.spec.ephemeralContainers).toHaveLength(2);
      const third = part('debugged', { ephemeralContainers: [{ ...debug, name: 'third' }] });
      const applied = await fixture.patch('apply', `${at}?fieldManager=a`, third);
      expect([applied.status, applied.json.message]).toEqual([200, undefined]);
      expect(applied.json.spec.ephemeralContainers).toHaveLength(3);
      expect(ownersOf(applied.json)).toContain('a Apply ephemeralcontainers');
    });

    test('cannot be changed later, and cannot be created with the pod', async () => {
      await fixture.create(pods, pod('kept'));
      const at = `${pods}/kept/ephemeralcontainers`;
      await fixture.patch('strategic', at, { spec: { ephemeralContainers: [debug] } });
      const { json: current } = await fixture.get(at);
      const changed = await fixture.put(at, {
        ...current,
        spec: { ...current.spec, ephemeralContainers: [{ ...debug, image: 'other' }] },
      });
      expect([changed.status, changed.json.message]).toEqual([
        422,
        expect.stringContaining('spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be changed'),
      ]);
      const { ephemeralContainers, ...rest } = current.spec;
      const removed = await fixture.put(at, { ...current, spec: rest });
      expect([removed.status, removed.json.message]).toEqual([
        422,
        expect.stringContaining('spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed'),
      ]);
      const made = await fixture.create(pods, pod('born', { ephemeralContainers: [debug] }));
      expect([made.status, made.json.message]).toEqual([
        422,
        expect.stringContaining('spec.ephemeralContainers: Forbidden: cannot be set on create'),
      ]);
    });
  });

  test('resize changes resources by PUT, PATCH and apply, and nothing else', async () => {
    const resources = (cpu: string) => ({ requests: { cpu } });
    await fixture.create(pods, pod('sized', { containers: [{ name: 'c', image: 'i', resources: resources('1') }] }));
    const at = `${pods}/sized/resize`;
    const { json: read } = await fixture.get(at);
    const [container] = read.spec.containers;
    const put = await fixture.put(at, {
      ...read,
      metadata: { ...read.metadata, labels: { a: 'b' } },
      spec: { ...read.spec, containers: [{ ...container, image: 'other', resources: resources('2') }] },
    });
    expect([put.status, put.json.message]).toEqual([200, undefined]);
    expect(put.json.spec.containers[0]).toMatchObject({ image: 'i', resources: resources('2') });
    expect([put.json.metadata.labels, put.json.metadata.generation]).toEqual([undefined, 2]);

    const body = { spec: { containers: [{ name: 'c', resources: resources('3') }] } };
    const patched = await fixture.patch('strategic', at, body);
    expect(patched.json.spec.containers[0].resources).toEqual(resources('3'));
    const config = part('sized', { containers: [{ name: 'c', resources: resources('4') }] });
    const applied = await fixture.patch('apply', `${at}?fieldManager=a&force=true`, config);
    expect([applied.status, applied.json.spec?.containers[0].resources]).toEqual([200, resources('4')]);
    expect(ownersOf(applied.json)).toContain('a Apply resize');

    const direct = await fixture.patch('strategic', `${pods}/sized`, body);
    expect([direct.status, direct.json.message]).toEqual([
      422,
      expect.stringContaining('spec: Forbidden: pod updates may not change fields other than'),
    ]);
  });

  test.each([
    [
      'other containers',
      [{ name: 'other', image: 'i' }],
      'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
    ],
    [
      'more containers',
      [{ name: 'c' }, { name: 'd', image: 'i' }],
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    ],
    [
      'no request',
      [{ name: 'c', image: 'i', resources: { limits: { memory: '2Gi' } } }],
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ],
    [
      'another quality of service',
      [
        {
          name: 'c',
          image: 'i',
          resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
        },
      ],
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ],
    [
      'another policy',
      [
        {
          name: 'c',
          image: 'i',
          resources: { requests: { cpu: '1' } },
          resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
        },
      ],
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
    [
      'other resources',
      [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', 'ephemeral-storage': '1Gi' } } }],
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
  ])('resize to %s is rejected', async (what, containers, message) => {
    const name = what.replaceAll(' ', '-');
    await fixture.create(pods, pod(name, { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] }));
    const rejected = await fixture.patch('merge', `${pods}/${name}/resize`, { spec: { containers } });
    expect([rejected.status, rejected.json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test('finalize writes the finalizers of a namespace and nothing else, by PUT only', async () => {
    const namespaces = '/api/v1/namespaces';
    const { json } = await fixture.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'held' },
    });
    expect(json.spec.finalizers).toEqual(['kubernetes']);
    const finalizers = ['kubernetes', 'example.com/mine'];
    const put = await fixture.put(`${namespaces}/held/finalize`, {
      ...json,
      spec: { finalizers },
      status: { phase: 'Terminating' },
    });
    expect([put.status, put.json.spec.finalizers, put.json.status.phase]).toEqual([200, finalizers, 'Active']);
    const main = await fixture.put(`${namespaces}/held`, { ...put.json, spec: { finalizers: [] } });
    expect(main.json.spec.finalizers).toEqual(finalizers);
    expect((await fixture.patch('merge', `${namespaces}/held/finalize`, {})).status).toBe(405);
  });

  describe('approval', () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    // openssl req -new, with a key on the curve prime256v1
    const request =
      'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcU1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1JsYlRwdWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZiakJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSEEwSUFCQWtoRzBMMlRPdlZ6V0ZuCmZOTjdTd25ZWWRJMlhqMy85em15dVp3REJjR0dzM1NCc2YzTENOWmM4K3BhVzJlMXhFMW1Dc2VTM3lKRzdYYXAKeVFIL2VzeWdBREFLQmdncWhrak9QUVFEQWdOSUFEQkZBaUVBc2ZCdDBzanB0QzFERmtUYUJDVmNxVzBvZVZ1dgpGblRmU3RoRTJ0eXRtVEFDSUdoekRRUkpJV2xUM3JEUjNjb2FHempXMHFYV1ZLb0xFY1Vqb3NrUm1CMmoKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';
    const csr = (name: string) => ({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request, signerName: 'example.com/signer', usages: ['client auth'] },
    });
    const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' };

    test.each([
      ['PUT', (at: string, object: object) => fixture.put(at, { ...object, status: { conditions: [approved] } })],
      ['PATCH', (at: string) => fixture.patch('merge', at, { status: { conditions: [approved] } })],
      [
        'apply',
        (at: string, { metadata: { name } }: { metadata: { name: string } }) => {
          const { spec, ...rest } = csr(name);
          return fixture.patch('apply', `${at}?fieldManager=a`, { ...rest, status: { conditions: [approved] } });
        },
      ],
    ])('by %s', async (how, approve) => {
      const name = `by-${how.toLowerCase()}`;
      const made = await fixture.create(path, csr(name));
      expect([made.status, made.json.message]).toEqual([201, undefined]);
      const response = await approve(`${path}/${name}/approval`, made.json);
      expect([response.status, response.json.message]).toEqual([200, undefined]);
      expect(response.json.status.conditions).toEqual([
        { ...approved, lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) },
      ]);
      expect((await fixture.get(`${path}/${name}/approval`)).json).toEqual(response.json);
      if (how === 'apply') expect(ownersOf(response.json)).toContain('a Apply approval');
    });

    test('cannot be set through the status, and certificates cannot be set through the approval', async () => {
      await fixture.create(path, csr('apart'));
      const status = await fixture.patch('merge', `${path}/apart/status`, { status: { conditions: [approved] } });
      expect([status.status, status.json.message]).toEqual([
        422,
        expect.stringContaining('status.conditions: Forbidden: updates may not add a condition of type "Approved"'),
      ]);
      const certificate = { certificate: Buffer.from('no certificate').toString('base64') };
      const approval = await fixture.patch('merge', `${path}/apart/approval`, { status: certificate });
      expect([approval.status, approval.json.status.certificate]).toEqual([200, undefined]);
    });

    test('cannot be withdrawn, and cannot be combined with a denial', async () => {
      await fixture.create(path, csr('firm'));
      const at = `${path}/firm/approval`;
      await fixture.patch('merge', at, { status: { conditions: [approved] } });
      const back = await fixture.patch('merge', at, { status: { conditions: [] } });
      expect([back.status, back.json.message]).toEqual([
        422,
        expect.stringContaining('status.conditions: Forbidden: updates may not remove a condition of type "Approved"'),
      ]);
      const both = await fixture.patch('merge', at, {
        status: { conditions: [approved, { ...approved, type: 'Denied' }] },
      });
      expect([both.status, both.json.message]).toEqual([
        422,
        expect.stringContaining('status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'),
      ]);
    });
  });
});
