import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCertificateRequest } from '../../support/certificate-request.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const mine = { nodeName: 'mine' };
const containers = [{ name: 'c', image: 'i' }];
const mirror = { 'kubernetes.io/config.mirror': 'x' };

let fixture: WriteFixture;
let uid: string;
let count = 0;

beforeAll(async () => {
  fixture = await WriteFixture.open({
    authorizationMode: ['AlwaysAllow'],
    enableAdmissionPlugins: ['NodeRestriction'],
    featureGates: ['PodCertificateRequest=true'],
    runtimeConfig: ['certificates.k8s.io/v1beta1/podcertificaterequests=true'],
  });
  uid = (await fixture.create(nodes, { metadata: { name: 'mine' } })).json.metadata.uid;
  await fixture.create('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
});
afterAll(() => fixture.close());

const asNode = (name: string) => ({ 'impersonate-user': `system:node:${name}`, 'impersonate-group': 'system:nodes' });
const node = asNode('mine');

/** Sends a write as the node `mine`. */
const send = (method: string, path: string, body?: unknown, type = 'application/json') =>
  fixture.http.send(method, path, body === undefined ? undefined : JSON.stringify(body), type, { headers: node });
const patch = (path: string, body: unknown) => send('PATCH', path, body, 'application/merge-patch+json');

/** Returns the text of a refusal after the object's name. */
const why = ({ status, json }: { status: number; json: { message?: string } }): unknown =>
  status === 403 ? (json.message ?? '').replace(/^.*? is forbidden: /, '') : status;

/** Creates a pod as the administrator, and returns its name. */
async function createPod(spec: object): Promise<string> {
  const name = `p-${count++}`;
  const { status } = await fixture.create(pods, { metadata: { name }, spec: { containers, ...spec } });
  expect(status).toBe(201);
  return name;
}

test('a user that is no node, or has no name, is no concern or refused', async () => {
  const headers = { 'impersonate-user': 'system:node:other', 'impersonate-group': 'others' };
  expect((await fixture.create(nodes, { metadata: { name: 'any' } }, headers)).status).toBe(201);
  const nobody = await fixture.create(nodes, { metadata: { name: 'x' } }, asNode(''));
  expect(why(nobody)).toBe('could not determine node from user "system:node:"');
  const review = await fixture.create('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'a' } }, asNode(''));
  expect(why(review)).toBe('could not determine node from user "system:node:"');
});

describe('a node creates', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'mine', controller: true };
  const podOf = (metadata: object, spec: object) => ({
    metadata: { name: `m-${count++}`, annotations: mirror, ownerReferences: [{ ...owner, uid }], ...metadata },
    spec: { ...mine, containers, ...spec },
  });
  const env = [{ name: 'e', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } }];
  const own = 'node "mine" can only create pods with';

  test('mirror pods', async () => {
    expect(why(await send('POST', pods, podOf({}, {})))).toBe(201);
  });

  test.each([
    [{ annotations: {} }, {}, 'pod does not have "kubernetes.io/config.mirror" annotation, node "mine" can only create mirror pods'],
    [{}, { nodeName: 'other' }, `${own} spec.nodeName set to itself`],
    [{ ownerReferences: [] }, {}, `${own} an owner reference set to itself`],
    [{ ownerReferences: [{ ...owner, name: 'other', uid: 'u' }] }, {}, `${own} an owner reference set to itself`],
    [
      { ownerReferences: ['a', 'b'].map((one) => ({ ...owner, controller: false, uid: one })) },
      {},
      `${own} a single owner reference set to itself`,
    ],
    [{ ownerReferences: [{ ...owner, uid: 'u', controller: false }] }, {}, `${own} a controller owner reference set to itself`],
    [{}, { volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'node "mine" can not create pods that reference secrets'],
    [{}, { containers: [{ ...containers[0], env }] }, 'node "mine" can not create pods that reference configmaps'],
    [{}, { serviceAccountName: 'a' }, 'node "mine" can not create pods that reference serviceaccounts'],
    [{}, { volumes: [{ name: 'v', csi: { driver: 'd' } }] }, 'node "mine" can not create pods that reference csidrivers (via CSI volumes)'],
    [
      {},
      { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
      'node "mine" can not create pods that reference serviceaccounts (via projected volumes)',
    ],
  ])('not others: %j %j', async (metadata, spec, want) => {
    expect(why(await send('POST', pods, podOf(metadata, spec)))).toBe(want);
  });

  test('not in the name of a former node', async () => {
    const metadata = { ownerReferences: [{ ...owner, uid: 'former' }] };
    expect(why(await send('POST', pods, podOf(metadata, {})))).toBe(`node mine UID mismatch: expected former got ${uid}`);
  });
});

describe('a node', () => {
  test('deletes and evicts its own pods only', async () => {
    const [own, other] = [await createPod(mine), await createPod({ nodeName: 'other' })];
    const evict = (name: string) =>
      send('POST', `${pods}/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
    expect(why(await evict(other))).toBe('node mine can only evict pods with spec.nodeName set to itself');
    expect(why(await evict(own))).toBe(201);
    expect(why(await send('DELETE', `${pods}/${other}`))).toBe('node "mine" can only delete pods with spec.nodeName set to itself');
    expect(why(await send('DELETE', `${pods}/${own}`))).toBe(200);
  });

  test('updates the status of its pods, and nothing else of them', async () => {
    const [own, other] = [await createPod(mine), await createPod({ nodeName: 'other' })];
    const status = { status: { message: 'm' } };
    expect(why(await patch(`${pods}/${own}/status`, status))).toBe(200);
    expect(why(await patch(`${pods}/${own}/status`, { metadata: { labels: { a: 'b' } } }))).toBe(
      'node "mine" cannot update labels through pod status',
    );
    const resourceClaimStatuses = [{ name: 'r', resourceClaimName: 'c' }];
    expect(why(await patch(`${pods}/${own}/status`, { status: { resourceClaimStatuses } }))).toBe(
      'node "mine" cannot update resource claim statues',
    );
    expect(why(await patch(`${pods}/${other}/status`, status))).toBe(
      'node "mine" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(why(await patch(`${pods}/${own}`, { metadata: { labels: { a: 'b' } } }))).toBe(
      'unexpected operation "UPDATE", node "mine" can only create and delete mirror pods',
    );
    expect(why(await send('POST', `${pods}/${own}/binding`, { metadata: { name: own }, target: { name: 'x' } }))).toBe(
      "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
    );
  });

  test('writes its own Node, with few labels of Kubernetes', async () => {
    const path = `${nodes}/mine`;
    const labels = (keys: string[]) => ({ metadata: { labels: Object.fromEntries(keys.map((key) => [key, 'x'])) } });
    expect(why(await patch(path, labels(['example.com/a', 'kubernetes.io/os', 'a.node.kubernetes.io/b'])))).toBe(200);
    expect(why(await patch(path, labels(['node-restriction.kubernetes.io/a', 'foo.k8s.io/b'])))).toBe(
      'is not allowed to modify labels: foo.k8s.io/b, node-restriction.kubernetes.io/a',
    );
    expect(why(await patch(path, { spec: { taints: [] } }))).toBe('node "mine" is not allowed to modify taints');
    expect(why(await patch(path, { spec: { configSource: {} } }))).toBe(
      'node "mine" is not allowed to update configSource to a new non-nil configSource',
    );
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
    expect(why(await patch(path, { metadata: { ownerReferences } }))).toBe('node "mine" is not allowed to modify ownerReferences');
    expect(why(await patch(`${path}/status`, { status: { capacity: { cpu: '1' } } }))).toBe(200);
    expect(why(await patch(`${nodes}/any`, {}))).toBe('node "mine" is not allowed to modify node "any"');
    const created = await fixture.create(nodes, { metadata: { name: 'new', ...labels(['kubernetes.io/x']).metadata } }, asNode('new'));
    expect(why(created)).toBe('node "new" is not allowed to set the following labels: kubernetes.io/x');
  });

  test('writes its own lease, CSINode and resource slices', async () => {
    const leases = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const lease = (name: string) => ({ metadata: { name }, spec: { holderIdentity: name } });
    expect(why(await send('POST', leases('kube-node-lease'), lease('mine')))).toBe(201);
    expect(why(await send('POST', leases('kube-node-lease'), lease('other')))).toBe(
      'can only access node lease with the same name as the requesting node',
    );
    expect(why(await send('POST', leases('default'), lease('mine')))).toBe(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    const csiNode = (name: string) => ({ metadata: { name }, spec: { drivers: [] } });
    expect(why(await send('POST', '/apis/storage.k8s.io/v1/csinodes', csiNode('mine')))).toBe(201);
    expect(why(await send('POST', '/apis/storage.k8s.io/v1/csinodes', csiNode('other')))).toBe(
      'can only access CSINode with the same name as the requesting node',
    );
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    const slice = (nodeName: string) => ({
      metadata: { name: nodeName },
      spec: { nodeName, driver: 'd.example.com', pool },
    });
    expect(why(await send('POST', slices, slice('mine')))).toBe(201);
    expect(why(await send('POST', slices, slice('other')))).toBe(
      'can only create ResourceSlice with the same NodeName as the requesting node',
    );
    await fixture.create(slices, slice('other'));
    expect(why(await send('DELETE', `${slices}/other`))).toBe(
      'can only delete ResourceSlice with the same NodeName as the requesting node',
    );
  });

  test('changes only sizes and conditions of claims', async () => {
    const resources = { requests: { storage: '1Gi' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources };
    await fixture.create(claims, { metadata: { name: 'c' }, spec });
    expect(why(await patch(`${claims}/c`, {}))).toBe('may only update PVC status');
    expect(why(await patch(`${claims}/c/status`, { status: { capacity: { storage: '2Gi' } } }))).toBe(200);
    expect(why(await patch(`${claims}/c/status`, { status: { phase: 'Bound' } }))).toMatch(
      /^node "mine" is not allowed to update fields other than status.quantity and status.conditions: @@ .*\n- {2}"Phase": "Pending",\n\+ {2}"Phase": "Bound",\n/s,
    );
  });

  test('asks for certificates in its own name only', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const request = (commonName: string) => ({
      metadata: { name: `csr-${count++}` },
      spec: {
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['client auth'],
        request: makeCertificateRequest({ commonName, organizations: ['system:nodes'] }).request,
      },
    });
    expect(why(await send('POST', path, request('system:node:mine')))).toBe(201);
    expect(why(await send('POST', path, request('system:node:other')))).toBe('can only create a node CSR with CN=system:node:mine');
  });
});

describe('a node gets tokens', () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const projected = { sources: [{ serviceAccountToken: { audience: 'vault', path: 't' } }] };

  beforeAll(async () => {
    await fixture.create(accounts, { metadata: { name: 'robot' } });
    const driver = { tokenRequests: [{ audience: 'csi' }] };
    await fixture.create('/apis/storage.k8s.io/v1/csidrivers', { metadata: { name: 'd.example.com' }, spec: driver });
  });

  async function requested(spec: object, audiences: string[], boundTo: object = {}) {
    const name = await createPod({ serviceAccountName: 'robot', ...spec });
    const pod = (await fixture.get(`${pods}/${name}`)).json;
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: pod.metadata.uid, ...boundTo };
    return send('POST', `${accounts}/robot/token`, { spec: { audiences, boundObjectRef } });
  }

  test.each([
    ['an audience of a projected volume', { ...mine, volumes: [{ name: 'v', projected }] }, ['vault']],
    ['an audience of a driver', { ...mine, volumes: [{ name: 'v', csi: { driver: 'd.example.com' } }] }, ['csi']],
  ])('for %s', async (_what, spec, audiences) => {
    expect(why(await requested(spec, audiences))).toBe(201);
  });

  test.each([
    ['other pods', { nodeName: 'other' }, [], {}, 'node requested token bound to a pod scheduled on a different node'],
    ['no pod', mine, [], { kind: 'Secret' }, 'node requested token not bound to a pod'],
    ['any pod of a name', mine, [], { uid: '' }, 'node requested token with a pod binding without a uid'],
    ['several audiences', mine, ['a', 'b'], {}, 'node may only request 0 or 1 audiences'],
  ])('not for %s', async (_what, spec, audiences, boundTo, want) => {
    expect(why(await requested(spec, audiences, boundTo))).toBe(want);
  });
});

test('a node may ask for further audiences only if it is authorized', async () => {
  const strict = await WriteFixture.open({
    enableAdmissionPlugins: ['NodeRestriction'],
  });
  const path = '/api/v1/namespaces/default';
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const group = { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:nodes' };
  const roleRef = { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: 'system:node' };
  await strict.create(bindings, { metadata: { name: 'nodes' }, subjects: [group], roleRef });
  await strict.create(`${path}/serviceaccounts`, { metadata: { name: 'robot' } });
  const spec = { ...mine, containers, serviceAccountName: 'robot' };
  const pod = (await strict.create(`${path}/pods`, { metadata: { name: 'p' }, spec })).json;
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: pod.metadata.uid };
  const request = () => strict.create(`${path}/serviceaccounts/robot/token`, { spec: { audiences: ['vault'], boundObjectRef } }, node);
  expect(why(await request())).toBe(
    'audience "vault" not found in pod spec volume, system:node:mine is not authorized to request tokens for this audience',
  );
  const rules = [
    {
      apiGroups: [''],
      resources: ['vault'],
      resourceNames: ['robot'],
      verbs: ['request-serviceaccounts-token-audience'],
    },
  ];
  await strict.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'vault' }, rules });
  await strict.create(bindings, { metadata: { name: 'v' }, subjects: [group], roleRef: { ...roleRef, name: 'vault' } });
  expect(why(await request())).toBe(201);
  await strict.close();
});

describe('a request of a node for the certificate of a pod', () => {
  const path = '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests';
  const key = {
    pkixPublicKey: 'MCowBQYDK2VwAyEA8HcxFwj9Jxtm291sEiwvoTA7eKlZgxXJONKDmY/nXkM=',
    proofOfPossession: '/UnWtBnrGSL/a/sv+2OBExSoSGfXuSLP47qCMJ3SLbu3XEnJCmDDlrGZqkgheukY/1qWIxogDRDZzpTyyzScAg==',
  };
  let given: Record<string, string>;

  beforeAll(async () => {
    const account = await fixture.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'certified' } });
    const pod = { serviceAccountName: 'certified', containers };
    const { json } = await fixture.create(pods, { metadata: { name: 'certified' }, spec: { ...pod, ...mine } });
    await fixture.create(pods, { metadata: { name: 'elsewhere' }, spec: { ...pod, nodeName: 'other' } });
    await fixture.create(pods, { metadata: { name: 'mirrored', annotations: mirror }, spec: { containers, ...mine } });
    given = {
      podUID: json.metadata.uid,
      serviceAccountUID: account.json.metadata.uid,
      nodeUID: uid,
      elsewhere: (await fixture.get(`${pods}/elsewhere`)).json.metadata.uid,
      mirrored: (await fixture.get(`${pods}/mirrored`)).json.metadata.uid,
    };
  });

  const send = async (spec: Readonly<Record<string, string>>): Promise<unknown> => {
    const { elsewhere, mirrored, ...own } = given;
    const names = { signerName: 'acme.io/signer', podName: 'certified', serviceAccountName: 'certified', nodeName: 'mine' };
    const body = { metadata: { name: 'c' }, spec: { ...names, ...own, ...key, ...spec } };
    const { status, json } = await fixture.create(`${path}?dryRun=All`, body, node);
    return [status, String(json.message).replace(/^.*? is forbidden: /, '')];
  };

  test.each([
    [{ nodeName: 'other' }, 403, 'PodCertificateRequest.Spec.NodeName="other", which is not the requesting node "mine"'],
    [
      { nodeUID: 'u' },
      500,
      'PodCertificateRequest for pod "default/certified" names node UID "u", inconsistent with the running node ("UID")',
    ],
    [{ podName: 'p' }, 500, 'while retrieving pod "default/p" named in the PodCertificateRequest: pod "p" not found'],
    [{ podUID: 'u' }, 500, 'PodCertificateRequest for pod "default/certified" contains pod UID ("u") which differs from running pod "UID"'],
    [
      { serviceAccountName: 's' },
      403,
      'PodCertificateRequest for pod "default/certified" contains serviceAccountName ("s") that differs from running pod ("certified")',
    ],
    [
      { serviceAccountUID: 'u' },
      500,
      'PodCertificateRequest for pod "default/certified" names service account UID "u", which differs from the running service account ("UID")',
    ],
  ])('with %j is %i: %s', async (spec, status, message) => {
    const [code, text] = (await send(spec)) as [number, string];
    expect([code, text.replace(/"[0-9a-f-]{36}"/g, '"UID"')]).toEqual([status, message]);
  });

  test('is for a pod that the node runs, and that is no mirror pod', async () => {
    expect(await send({ podName: 'elsewhere', podUID: given.elsewhere })).toEqual([
      403,
      'pod "default/elsewhere" is not running on node "mine" named in the PodCertificateRequest',
    ]);
    expect(await send({ podName: 'mirrored', podUID: given.mirrored })).toEqual([403, 'pod "default/mirrored" is a mirror pod']);
  });

  test('passes with the uids of all that it names', async () => {
    // the proof is for a pod with another uid
    expect(await send({})).toEqual([422, expect.stringContaining('spec.proofOfPossession')]);
  });
});
