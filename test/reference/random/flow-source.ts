import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

const flowcontrol = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** Users with their groups, whom the administrator impersonates. */
const users: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  {},
  { 'impersonate-user': 'u0', 'impersonate-group': ['g0'] },
  { 'impersonate-user': 'u1', 'impersonate-group': ['g0', 'g1'] },
  { 'impersonate-user': 'system:anonymous' },
  { 'impersonate-user': 'system:node:n', 'impersonate-group': ['system:nodes'] },
  { 'impersonate-user': 'system:kube-scheduler' },
  { 'impersonate-user': 'system:kube-controller-manager' },
  { 'impersonate-user': 'system:serviceaccount:kube-system:x' },
  { 'impersonate-user': 'system:serviceaccount:default:robot' },
  { 'impersonate-user': 'u2', 'impersonate-group': ['system:masters'] },
  { authorization: 'Bearer wrong' },
];

const subjects: readonly TestValue[] = [
  { kind: 'User', user: { name: 'u0' } },
  { kind: 'User', user: { name: '*' } },
  { kind: 'User', user: { name: 'system:serviceaccount:default:robot' } },
  { kind: 'Group', group: { name: 'g0' } },
  { kind: 'Group', group: { name: 'g1' } },
  { kind: 'Group', group: { name: 'system:authenticated' } },
  { kind: 'Group', group: { name: 'system:unauthenticated' } },
  { kind: 'Group', group: { name: 'system:serviceaccounts' } },
  { kind: 'Group', group: { name: 'system:nodes' } },
  { kind: 'Group', group: { name: '*' } },
  { kind: 'ServiceAccount', serviceAccount: { name: 'robot', namespace: 'default' } },
  { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'default' } },
  { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'kube-system' } },
];
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', '*'];
const names = ['f0', 'f1', 'f2', 'f3'];

const requests: readonly Request[] = [
  { method: 'GET', path: '/api/v1/namespaces/default/configmaps' },
  { method: 'GET', path: '/api/v1/namespaces/default/configmaps/absent' },
  { method: 'GET', path: '/api/v1/podtemplates' },
  { method: 'GET', path: '/api/v1/namespaces/kube-public/configmaps?watch=true&timeoutSeconds=1&resourceVersion=0' },
  { method: 'GET', path: '/api/v1/nodes' },
  { method: 'GET', path: '/api/v1/nodes/n/status' },
  { method: 'PATCH', path: '/api/v1/nodes/n/status?dryRun=All', contentType: 'application/merge-patch+json', body: {} },
  { method: 'POST', path: '/api/v1/namespaces/default/configmaps?dryRun=All', body: { metadata: { name: 'x' } } },
  { method: 'PUT', path: '/api/v1/namespaces/default/configmaps/x?dryRun=All', body: { metadata: { name: 'x' } } },
  { method: 'DELETE', path: '/api/v1/namespaces/default/configmaps/x?dryRun=All' },
  { method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases' },
  { method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n' },
  { method: 'GET', path: '/apis/coordination.k8s.io/v1/namespaces/default/leases' },
  {
    method: 'POST',
    path: '/api/v1/namespaces/default/events?dryRun=All',
    body: { metadata: { name: 'e' }, involvedObject: { namespace: 'default' } },
  },
  { method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments/d/scale' },
  {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: { spec: { nonResourceAttributes: { verb: 'get', path: '/x' } } },
  },
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/readyz' },
  { method: 'GET', path: '/livez/ping' },
  { method: 'GET', path: '/apis' },
  { method: 'GET', path: '/api/v1' },
  { method: 'GET', path: '/odd' },
  { method: 'POST', path: '/odd/path', body: {} },
  { method: 'GET', path: '/apis/odd.io/v1/things' },
];

/** Requests under random FlowSchemas and levels, and the objects that their headers name. */
function flowScene(seed: number): Scene {
  const random = new Choices(seed);
  const levels = ['l0', 'l1'];
  const scene: Request[] = levels.map((name) => ({
    method: 'POST',
    path: `${flowcontrol}/prioritylevelconfigurations`,
    body: { metadata: { name }, spec: levelOf(random) },
  }));
  const schemas = random.between(2, 4);
  for (let at = 0; at < schemas; at++) {
    scene.push({ method: 'POST', path: `${flowcontrol}/flowschemas`, body: { metadata: { name: names[at] }, spec: schemaOf(random) } });
  }
  const marker = `marker-${seed}`;
  scene.push(
    {
      method: 'POST',
      path: `${flowcontrol}/flowschemas`,
      body: {
        metadata: { name: marker },
        spec: {
          priorityLevelConfiguration: { name: 'exempt' },
          matchingPrecedence: 1,
          rules: [{ subjects: [{ kind: 'User', user: { name: marker } }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }],
        },
      },
    },
    { method: 'GET', path: '/livez/ping', headers: { 'impersonate-user': marker }, seesFlow: true, until: marker },
  );
  for (let at = 0; at < 40; at++) scene.push({ ...random.pick(requests), headers: random.pick(users), seesFlow: true });
  for (const resource of ['flowschemas', 'prioritylevelconfigurations']) scene.push({ method: 'GET', path: `${flowcontrol}/${resource}` });
  return { title: 'flow', feature: 'priority and fairness', seed, requests: scene, collection: '', name: '', isIndependent: true };
}

function levelOf(random: Choices): TestValue {
  if (random.chance(0.1)) return { type: 'Exempt', ...random.maybe(0.5, { exempt: { nominalConcurrencyShares: 1 } }) };
  return {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: random.between(5, 30),
      limitResponse: random.pick<TestValue>([
        { type: 'Reject' },
        { type: 'Queue' },
        { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 } },
      ]),
      ...random.maybe(0.3, () => ({ lendablePercent: random.pick([0, 50, 100]) })),
      ...random.maybe(0.3, () => ({ borrowingLimitPercent: random.pick([0, 50, 200]) })),
    },
  };
}

function schemaOf(random: Choices): TestValue {
  return {
    priorityLevelConfiguration: { name: random.pick(['l0', 'l1', 'l0', 'l1', 'workload-low', 'global-default', 'exempt', 'absent']) },
    matchingPrecedence: random.pick([2, 100, 500, 900, 1000, 9000, 10000]),
    ...random.maybe(0.6, () => ({ distinguisherMethod: { type: random.pick(['ByUser', 'ByNamespace']) } })),
    rules: Array.from({ length: random.between(1, 2) }, () => ({
      subjects: random.some(subjects, 3),
      ...(random.chance(0.8)
        ? {
            resourceRules: [
              {
                verbs: random.some(verbs, 3),
                apiGroups: random.some(['', 'apps', 'coordination.k8s.io', '*'], 2),
                resources: random.some(['configmaps', 'nodes', 'nodes/status', 'leases', 'deployments/scale', 'events', '*'], 3),
                ...random.pick<TestValue>([
                  { clusterScope: true, namespaces: ['*'] },
                  { namespaces: ['default'] },
                  { namespaces: ['*'] },
                  { clusterScope: true },
                ]),
              },
            ],
          }
        : {}),
      ...(random.chance(0.4)
        ? {
            nonResourceRules: [
              { verbs: random.some(verbs, 2), nonResourceURLs: random.some(['/healthz', '/livez/*', '/apis', '/odd', '/odd/*', '*'], 2) },
            ],
          }
        : {}),
    })),
  };
}

/** Classification of requests by FlowSchemas. */
export function flow(): Source {
  return {
    scenes: (seed, titles) => (titles.test('flow') ? [flowScene(seed)] : []),
  };
}
