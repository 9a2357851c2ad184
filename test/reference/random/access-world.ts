import type { Random } from '../../support/random.ts';
import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';

const merge = 'application/merge-patch+json';
const alpha = '/api/v1/namespaces/alpha';

const post = (path: string, body: TestValue): Request => ({ method: 'POST', path, body });

const named = (name: string): TestValue => ({ metadata: { name } });

const pod = (name: string, nodeName: string, more: TestValue = {}): Request =>
  post(`${alpha}/pods`, { metadata: { name, labels: { a: 'b' } }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...more } });

const claim = (name: string, volumeName: string): Request =>
  post(`${alpha}/persistentvolumeclaims`, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], volumeName, storageClassName: '', resources: { requests: { storage: '1Gi' } } },
  });

const volume = (name: string, claimName: string): Request =>
  post('/api/v1/persistentvolumes', {
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      claimRef: { namespace: 'alpha', name: claimName },
      csi: { driver: 'd.io', volumeHandle: name, nodePublishSecretRef: { namespace: 'alpha', name: 'of-volume' } },
    },
  });

const node = (name: string): Request => post('/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });

/** A key of Ed25519, and the proof for the pod whose uid is `pod-uid`. */
const podKey = {
  pkixPublicKey: 'MCowBQYDK2VwAyEA8HcxFwj9Jxtm291sEiwvoTA7eKlZgxXJONKDmY/nXkM=',
  proofOfPossession: '/UnWtBnrGSL/a/sv+2OBExSoSGfXuSLP47qCMJ3SLbu3XEnJCmDDlrGZqkgheukY/1qWIxogDRDZzpTyyzScAg==',
};

const podCertificate = (name: string, spec: TestValue): TestValue => ({
  ...named(name),
  spec: {
    signerName: 'acme.io/signer',
    podName: 'p0',
    podUID: 'pod-uid',
    serviceAccountName: 'robot',
    serviceAccountUID: 'u',
    nodeUID: 'u',
    ...podKey,
    ...spec,
  },
});

const podCertificates = '/apis/certificates.k8s.io/v1beta1/namespaces/alpha/podcertificaterequests';

/** Objects, some of which pods of node-0 refer to, and some of which belong to nodes. */
const given: readonly Request[] = [
  post('/api/v1/namespaces', named('alpha')),
  post('/api/v1/namespaces', named('beta')),
  ...['default', 'robot', 'other'].map((name) => post(`${alpha}/serviceaccounts`, named(name))),
  post('/api/v1/namespaces/beta/serviceaccounts', named('default')),
  ...['s0', 's1', 'of-pull', 'of-volume', 'of-env'].map((name) => post(`${alpha}/secrets`, { ...named(name), stringData: { a: 'b' } })),
  ...['m0', 'm1', 'of-env'].map((name) => post(`${alpha}/configmaps`, { ...named(name), data: { a: 'b' } })),
  post('/apis/apps/v1/namespaces/alpha/deployments', {
    ...named('d0'),
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  }),
  node('node-0'),
  node('node-1'),
  claim('c0', 'v0'),
  claim('c1', 'v1'),
  volume('v0', 'c0'),
  volume('v1', 'c1'),
  post('/apis/resource.k8s.io/v1/namespaces/alpha/resourceclaims', { ...named('rc0'), spec: {} }),
  post('/apis/resource.k8s.io/v1/namespaces/alpha/resourceclaims', { ...named('rc1'), spec: {} }),
  pod('p0', 'node-0', {
    serviceAccountName: 'robot',
    imagePullSecrets: [{ name: 'of-pull' }],
    containers: [
      {
        name: 'c',
        image: 'i',
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'of-env', key: 'a' } } }],
        envFrom: [{ configMapRef: { name: 'of-env' } }],
      },
    ],
    resourceClaims: [{ name: 'r', resourceClaimName: 'rc0' }],
    volumes: [
      { name: 'a', secret: { secretName: 's0' } },
      { name: 'b', projected: { sources: [{ configMap: { name: 'm0' } }, { serviceAccountToken: { path: 't', audience: 'projected' } }] } },
      { name: 'c', persistentVolumeClaim: { claimName: 'c0' } },
    ],
  }),
  pod('p1', 'node-1'),
  post(`${alpha}/pods`, {
    ...named('unbound'),
    spec: { containers: [{ name: 'c', image: 'i', envFrom: [{ secretRef: { name: 's1' } }] }] },
  }),
  post('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', { ...named('node-0'), spec: { holderIdentity: 'node-0' } }),
  post('/apis/storage.k8s.io/v1/csinodes', { ...named('node-0'), spec: { drivers: [{ name: 'd.io', nodeID: 'n' }] } }),
  ...['node-0', 'node-1'].map((nodeName) =>
    post('/apis/storage.k8s.io/v1/volumeattachments', {
      ...named(`of-${nodeName}`),
      spec: { attacher: 'd.io', nodeName, source: { persistentVolumeName: nodeName === 'node-0' ? 'v0' : 'v1' } },
    }),
  ),
  ...['node-0', 'node-1'].map((nodeName) =>
    post('/apis/resource.k8s.io/v1/resourceslices', {
      ...named(`of-${nodeName}`),
      spec: { nodeName, driver: 'd.io', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
    }),
  ),
  ...['node-0', 'node-1'].map((nodeName) => post(podCertificates, podCertificate(`of-${nodeName}`, { nodeName }))),
];

type Made = (random: Random) => Request;

const read: Made = (random) => {
  const [path, names] = random.pick<readonly [string, readonly string[]]>([
    [`${alpha}/secrets`, ['s0', 's1', 'of-pull', 'of-volume', 'of-env', 'absent']],
    [`${alpha}/configmaps`, ['m0', 'm1', 'of-env', 'absent']],
    [`${alpha}/persistentvolumeclaims`, ['c0', 'c1']],
    ['/api/v1/persistentvolumes', ['v0', 'v1']],
    [`${alpha}/pods`, ['p0', 'p1', 'unbound']],
    [`${alpha}/serviceaccounts`, ['robot', 'other']],
    ['/api/v1/nodes', ['node-0', 'node-1']],
    ['/apis/resource.k8s.io/v1/namespaces/alpha/resourceclaims', ['rc0', 'rc1']],
    ['/apis/resource.k8s.io/v1/resourceslices', ['of-node-0', 'of-node-1']],
    ['/apis/storage.k8s.io/v1/volumeattachments', ['of-node-0', 'of-node-1']],
    ['/apis/storage.k8s.io/v1/csinodes', ['node-0', 'node-1']],
    ['/apis/storage.k8s.io/v1/csidrivers', ['d.io']],
    ['/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', ['node-0', 'node-1']],
    ['/apis/coordination.k8s.io/v1/namespaces/alpha/leases', ['node-0']],
    ['/api/v1/namespaces/alpha/services', ['x']],
    ['/apis/node.k8s.io/v1/runtimeclasses', ['x']],
    ['/apis/certificates.k8s.io/v1/certificatesigningrequests', ['csr-0', 'csr-1']],
    ['/apis/certificates.k8s.io/v1beta1/clustertrustbundles', ['x']],
    [podCertificates, ['of-node-0', 'of-node-1', 'absent']],
    ['/apis/certificates.k8s.io/v1beta1/podcertificaterequests', ['of-node-0']],
  ]);
  const name = random.pick(names);
  return random.pick<Request>([
    { method: 'GET', path: `${path}/${name}` },
    { method: 'GET', path: `${path}/${name}` },
    { method: 'GET', path: `${path}/${name}/status` },
    { method: 'GET', path },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3D${name}` },
    { method: 'GET', path: `${path}?fieldSelector=spec.nodeName%3Dnode-0` },
    { method: 'GET', path: `${path}?fieldSelector=metadata.name%3D${name}&watch=true&timeoutSeconds=1&resourceVersion=0` },
    {
      method: 'GET',
      path: `${path}?fieldSelector=spec.nodeName%3D${random.pick(['node-0', 'node-1', ''])}&watch=true&timeoutSeconds=1&resourceVersion=0`,
    },
    { method: 'DELETE', path: `${path}/${name}?dryRun=All` },
    { method: 'DELETE', path: `${path}?dryRun=All&fieldSelector=spec.nodeName%3Dnode-0` },
  ]);
};

const patch = (path: string, body: TestValue): Request => ({ method: 'PATCH', path: `${path}?dryRun=All`, contentType: merge, body });

const nodeWrite: Made = (random) => {
  const name = random.pick(['node-0', 'node-0', 'node-1', 'node-9']);
  const labels = {
    [random.pick([
      'a',
      'kubernetes.io/arch',
      'kubernetes.io/odd',
      'node-restriction.kubernetes.io/x',
      'node.kubernetes.io/instance-type',
      'kubelet.kubernetes.io/y',
      'kubernetes.io/hostname',
      'topology.kubernetes.io/zone',
      'x.node-restriction.kubernetes.io/x',
    ])]: random.pick(['b', 'c', null]),
  };
  const taints = random.pick<TestValue>([
    [{ key: 'k', effect: 'NoSchedule' }],
    [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    [],
    null,
  ]);
  return random.pick<Request>([
    post('/api/v1/nodes?dryRun=All', { metadata: { name, labels }, spec: { taints, ...(random.chance(0.2) ? { configSource: {} } : {}) } }),
    post('/api/v1/nodes?dryRun=All', { metadata: { name: `${name}x` } }),
    patch(`/api/v1/nodes/${name}`, { metadata: { labels } }),
    patch(`/api/v1/nodes/${name}`, { spec: { taints } }),
    patch(`/api/v1/nodes/${name}`, { metadata: { annotations: { a: 'b' } } }),
    patch(`/api/v1/nodes/${name}`, { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }] } }),
    patch(`/api/v1/nodes/${name}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
    patch(`/api/v1/nodes/${name}/status`, { status: { addresses: [{ type: 'Hostname', address: name }] }, metadata: { labels } }),
    { method: 'DELETE', path: `/api/v1/nodes/${name}?dryRun=All` },
  ]);
};

const podWrite: Made = (random) => {
  const name = random.pick(['p0', 'p1', 'unbound', 'absent']);
  const nodeName = random.pick(['node-0', 'node-1']);
  const owner = {
    apiVersion: random.pick(['v1', 'apps/v1']),
    kind: 'Node',
    name: nodeName,
    uid: 'u',
    ...(random.chance(0.5) ? { controller: true } : {}),
  };
  const mirror = {
    metadata: {
      name: 'mirror',
      annotations: { 'kubernetes.io/config.mirror': 'x', ...(random.chance(0.2) ? { 'kubernetes.io/config.source': 'file' } : {}) },
      ...(random.chance(0.6) ? { ownerReferences: [owner] } : {}),
      ...(random.chance(0.2) ? { labels: { 'kubernetes.io/x': 'y' } } : {}),
    },
    spec: {
      nodeName,
      containers: [{ name: 'c', image: 'i' }],
      ...random.pick<TestValue>([
        {},
        {},
        { serviceAccountName: 'robot' },
        { volumes: [{ name: 'v', secret: { secretName: 's0' } }] },
        { volumes: [{ name: 'v', configMap: { name: 'm0' } }] },
        { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c0' } }] },
        { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'x' } }] } }] },
        { volumes: [{ name: 'v', emptyDir: {} }] },
        { resourceClaims: [{ name: 'r', resourceClaimName: 'rc0' }] },
      ]),
    },
  };
  return random.pick<Request>([
    post(`${alpha}/pods?dryRun=All`, mirror),
    post(`${alpha}/pods?dryRun=All`, mirror),
    post(`${alpha}/pods?dryRun=All`, { metadata: { name: 'plain' }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }] } }),
    patch(`${alpha}/pods/${name}`, { metadata: { labels: { b: 'c' } } }),
    patch(`${alpha}/pods/${name}/status`, { status: { phase: 'Running' } }),
    patch(`${alpha}/pods/${name}/status`, { metadata: { labels: { b: 'c' } }, status: { phase: 'Running' } }),
    patch(`${alpha}/pods/${name}/status`, { metadata: { annotations: { b: 'c' } } }),
    patch(`${alpha}/pods/${name}/status`, { status: { resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'rc1' }] } }),
    patch(`${alpha}/pods/${name}/status`, { status: { extendedResourceClaimStatus: { resourceClaimName: 'rc1', requestMappings: [] } } }),
    { method: 'DELETE', path: `${alpha}/pods/${name}?dryRun=All` },
    post(`${alpha}/pods/${name}/eviction?dryRun=All`, { metadata: { name } }),
    post(`${alpha}/pods/${name}/eviction?dryRun=All`, { metadata: { name: 'other' } }),
    post(`${alpha}/pods/${name}/binding?dryRun=All`, { target: { name: nodeName } }),
    post(`${alpha}/bindings?dryRun=All`, { metadata: { name }, target: { name: nodeName } }),
    patch(`${alpha}/pods/${name}/resize`, { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } }),
  ]);
};

const tokenWrite: Made = (random) => {
  const bound = random.pick<TestValue>([
    undefined,
    { kind: 'Pod', apiVersion: 'v1', name: 'p0', uid: 'u' },
    { kind: 'Pod', apiVersion: 'v1', name: 'p0' },
    { kind: 'Pod', apiVersion: 'v1', name: 'p1', uid: 'u' },
    { kind: 'Pod', apiVersion: 'v1', name: 'absent', uid: 'u' },
    { kind: 'Pod', apiVersion: 'v1', name: '', uid: 'u' },
    { kind: 'Node', apiVersion: 'v1', name: 'node-0' },
    { kind: 'Secret', apiVersion: 'v1', name: 's0' },
    { kind: 'ConfigMap', apiVersion: 'v1', name: 'm0' },
    { kind: 'Pod', apiVersion: 'odd', name: 'p0', uid: 'u' },
  ]);
  const audiences = random.pick<TestValue>([undefined, ['projected'], ['a'], ['projected', 'a'], []]);
  return post(`${alpha}/serviceaccounts/${random.pick(['robot', 'robot', 'other', 'default'])}/token?dryRun=All`, {
    spec: { audiences, boundObjectRef: bound },
  });
};

const otherWrite: Made = (random) => {
  const name = random.pick(['node-0', 'node-1', 'node-9']);
  const leases = `/apis/coordination.k8s.io/v1/namespaces/${random.pick(['kube-node-lease', 'kube-node-lease', 'alpha'])}/leases`;
  const slice = {
    metadata: { name: 'new' },
    spec: { nodeName: name, driver: 'd.io', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
  };
  return random.pick<Request>([
    post(`${leases}?dryRun=All`, { ...named(name), spec: {} }),
    patch(`${leases}/${name}`, { spec: { holderIdentity: 'x' } }),
    { method: 'DELETE', path: `${leases}/${name}?dryRun=All` },
    post('/apis/storage.k8s.io/v1/csinodes?dryRun=All', { ...named(name), spec: { drivers: [] } }),
    patch(`/apis/storage.k8s.io/v1/csinodes/${name}`, { metadata: { labels: { a: 'b' } } }),
    { method: 'DELETE', path: `/apis/storage.k8s.io/v1/csinodes/${name}?dryRun=All` },
    post('/apis/resource.k8s.io/v1/resourceslices?dryRun=All', slice),
    post('/apis/resource.k8s.io/v1/resourceslices?dryRun=All', { ...slice, spec: { ...slice.spec, nodeName: undefined, allNodes: true } }),
    patch(`/apis/resource.k8s.io/v1/resourceslices/of-${name}`, { metadata: { labels: { a: 'b' } } }),
    { method: 'DELETE', path: `/apis/resource.k8s.io/v1/resourceslices/of-${name}?dryRun=All` },
    { method: 'DELETE', path: `/apis/resource.k8s.io/v1/resourceslices?dryRun=All&fieldSelector=spec.nodeName%3D${name}` },
    patch(`${alpha}/persistentvolumeclaims/c0/status`, { status: { capacity: { storage: '2Gi' } } }),
    patch(`${alpha}/persistentvolumeclaims/c0/status`, { metadata: { labels: { a: 'b' } } }),
    patch(`${alpha}/persistentvolumeclaims/c0`, { metadata: { labels: { a: 'b' } } }),
    patch('/apis/storage.k8s.io/v1/volumeattachments/of-node-0', { metadata: { labels: { a: 'b' } } }),
    post(
      `${podCertificates}?dryRun=All`,
      podCertificate('new', {
        nodeName: name,
        podName: random.pick(['p0', 'p1', 'absent']),
        serviceAccountName: random.pick(['robot', 'other']),
      }),
    ),
    patch(`${podCertificates}/of-${name}`, { metadata: { labels: { a: 'b' } } }),
    patch(`${podCertificates}/of-${name}/status`, { status: { conditions: [] } }),
    { method: 'DELETE', path: `${podCertificates}/of-${name}?dryRun=All` },
    post(`${alpha}/events?dryRun=All`, { metadata: { name: 'e' }, involvedObject: { namespace: 'alpha' }, source: {} }),
    post(`${alpha}/secrets?dryRun=All`, named('new')),
    post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      spec: { user: 'u0', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'wrong' } }),
  ]);
};

/** Objects of nodes and pods, and the requests that kubelets make about them. */
export const nodeWorld: { readonly given: readonly Request[]; readonly requests: readonly Made[] } = {
  given,
  requests: [read, read, nodeWrite, podWrite, tokenWrite, otherWrite],
};
