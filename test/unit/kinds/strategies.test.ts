import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AuthenticationError } from '../../../runtime/authentication/authenticator.ts';
import { audienceAgnostic, unionTokenAuthenticator } from '../../../runtime/authentication/token/token.ts';
import { alwaysAllow } from '../../../runtime/authorization/authorizer.ts';
import { evictPod } from '../../../runtime/kinds/core/pod/eviction.ts';
import { createServiceCIDR, failureOf, openTestStores, type TestStores } from '../../support/resource-stores.ts';

let stores: TestStores;
beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

test('the phase of a namespace is Active until it is deleted, and Terminating from then on', async () => {
  const namespaces = await stores.of('namespaces');
  await namespaces.create({ metadata: { name: 'going' } });
  await namespaces.delete('going');
  const failure = await failureOf(namespaces.update('going', (namespace) => (namespace.status.phase = 'Active'), { part: 'status' }));
  expect(failure).toMatchObject({
    code: 422,
    message:
      'Namespace "going" is invalid: status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
  });
});

test('a replication controller with a field that cannot be converted is not updated', async () => {
  const controllers = await stores.of('replicationcontrollers');
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const annotations = { 'non-convertible.kubernetes.io/other': 'x' };
  await controllers.create({ metadata: { name: 'c', annotations }, spec: { template } });
  const failure = await failureOf(controllers.update('c', (controller) => (controller.spec.replicas = 2)));
  expect(failure.message).toBe('ReplicationController "c" is invalid: other: Not found: "x": unknown non-convertible field');
});

describe('pods', () => {
  const bounds = (cpu: string, memory: string) => ({ cpu, memory });
  test.each([
    ['no resources', {}, 'BestEffort'],
    ['requests only', { requests: { cpu: '1' } }, 'Burstable'],
    ['requests equal to limits', { requests: bounds('1', '1Gi'), limits: bounds('1000m', '1024Mi') }, 'Guaranteed'],
    ['limits alone become requests', { limits: bounds('1', '1Gi') }, 'Guaranteed'],
    ['one of two resources limited', { limits: { cpu: '1' } }, 'Burstable'],
  ])('%s: the QoS class', async (_name, resources, want) => {
    const pods = await stores.of('pods');
    const made = await pods.create(pod('p', { containers: [{ name: 'c', image: 'i', resources }] }));
    expect(made.status).toMatchObject({ phase: 'Pending', qosClass: want });
  });

  test.each([
    ['none', {}, 'BestEffort'],
    ['requests', { requests: bounds('1', '1Gi') }, 'Burstable'],
    ['limits', { requests: bounds('1', '1Gi'), limits: bounds('1', '1Gi') }, 'Guaranteed'],
  ])('with resources of the pod: %s, those of containers do not matter', async (_name, resources, want) => {
    const pods = await stores.of('pods');
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }];
    expect((await pods.create(pod('p', { containers, resources }))).status).toMatchObject({ qosClass: want });
  });

  test('without a node are deleted at once, on a node after their grace period', async () => {
    const pods = await stores.of('pods');
    await pods.create(pod('free'));
    expect(await pods.delete('free')).toMatchObject({ deletedImmediately: true });
    await pods.create(pod('placed', { nodeName: 'n' }));
    expect(await pods.delete('placed')).toMatchObject({ deletedImmediately: false });
    expect(pods.get('placed')?.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-01-01T00:00:30Z',
    });
    expect(await pods.delete('placed', { gracePeriodSeconds: 0 })).toMatchObject({ deletedImmediately: true });
  });

  test('a binding binds a pod to a node, once', async () => {
    const pods = await stores.of('pods');
    const bindings = await stores.of('bindings');
    await pods.create(pod('p'));
    const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } };
    expect(await bindings.respond(binding)).toMatchObject({ kind: 'Status', status: 'Success', code: 201 });
    expect(pods.get('p')?.spec.nodeName).toBe('n1');
    expect(await failureOf(bindings.respond(binding))).toMatchObject({
      code: 409,
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    });
  });

  test('an eviction asks the disruption budget', async () => {
    const pods = await stores.of('pods');
    const budgets = await stores.of('policy/poddisruptionbudgets');
    await pods.create({ ...pod('p'), metadata: { name: 'p', labels: { app: 'a' } } });
    await pods.update(
      'p',
      (object) => {
        object.status.phase = 'Running';
        object.status.conditions = [{ type: 'Ready', status: 'True' }];
      },
      { part: 'status' },
    );
    await budgets.create({
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
    });
    const allow = (disruptionsAllowed: number) =>
      budgets.update(
        'b',
        (object) => {
          object.status = {
            observedGeneration: 1,
            disruptionsAllowed,
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
          };
        },
        { part: 'status' },
      );
    await allow(0);
    const context = pods.write();
    const eviction = { metadata: { name: 'p' } };
    expect(await failureOf(evictPod(eviction, 'p', context))).toMatchObject({
      code: 429,
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget' }] },
    });
    await allow(1);
    await evictPod(eviction, 'p', context);
    expect(pods.get('p')).toBeUndefined();
    expect(budgets.get('b')?.status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { p: expect.anything() } });
  });
});

describe('services', () => {
  beforeEach(() => createServiceCIDR(stores, '10.96.0.0/12', 'fd00:10:96::/112'));

  const service = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  });

  test('get a cluster IP and its family', async () => {
    const services = await stores.of('services');
    const { spec } = await services.create(service('s'));
    expect(spec.clusterIP).toMatch(/^10\.(9[6-9]|10[0-9]|11[01])\.\d+\.\d+$/);
    expect(spec).toMatchObject({ clusterIPs: [spec.clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  });

  test('headless and external ones get no cluster IP', async () => {
    const services = await stores.of('services');
    const headless = await services.create(service('h', { clusterIP: 'None', selector: { a: 'b' } }));
    expect(headless.spec).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] });
    const external = await services.create(service('e', { type: 'ExternalName', externalName: 'a.example' }));
    expect(external.spec).not.toHaveProperty('clusterIP');
  });

  test('dual-stack services get two addresses, and can release one', async () => {
    const services = await stores.of('services');
    const dual = await services.create(service('d', { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] }));
    expect(dual.spec.clusterIPs).toEqual([expect.stringMatching(/^fd00:10:96::/), expect.stringMatching(/^10\./)]);
    const single = await services.update('d', (object) => {
      object.spec.ipFamilyPolicy = 'SingleStack';
    });
    expect(single.spec).toMatchObject({ clusterIPs: [dual.spec.clusterIP], ipFamilies: ['IPv6'] });
    const open = await services.create(service('o', { clusterIP: 'None' }));
    expect(open.spec).toMatchObject({
      ipFamilyPolicy: 'RequireDualStack',
      ipFamilies: ['IPv4', 'IPv6'],
      clusterIPs: ['None'],
    });
  });

  test('an address is allocated once, and again when its service is deleted', async () => {
    const services = await stores.of('services');
    await services.create(service('a', { clusterIP: '10.96.0.10' }));
    const failure = await failureOf(services.create(service('b', { clusterIP: '10.96.0.10' })));
    expect(failure.message).toBe(
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated',
    );
    await services.delete('a');
    await services.create(service('b', { clusterIP: '10.96.0.10' }));
  });

  test('node ports are allocated and released with the type', async () => {
    const services = await stores.of('services');
    const made = await services.create(service('n', { type: 'NodePort' }));
    const { nodePort } = made.spec.ports[0];
    expect(nodePort).toBeGreaterThanOrEqual(30000);
    const kept = await services.update('n', (object) => {
      delete object.spec.ports[0].nodePort;
      delete object.spec.clusterIP;
      delete object.spec.clusterIPs;
    });
    expect(kept.spec).toMatchObject({ clusterIP: made.spec.clusterIP, ports: [{ nodePort }] });
    const plain = await services.update('n', (object) => {
      object.spec.type = 'ClusterIP';
    });
    expect(plain.spec.ports[0]).not.toHaveProperty('nodePort');
  });
});

describe('jobs and daemon sets', () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

  test('a job selects its pods by its uid', async () => {
    const jobs = await stores.of('batch/jobs');
    const { metadata, spec } = await jobs.create({ metadata: { name: 'j' }, spec: { template } });
    expect(metadata.labels).toEqual(spec.template.metadata.labels);
    expect(spec.selector.matchLabels).toEqual({ 'batch.kubernetes.io/controller-uid': metadata.uid });
    expect(spec.template.metadata.labels).toEqual({
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': metadata.uid,
      'job-name': 'j',
    });
  });

  test('a daemon set counts changes of its template', async () => {
    const sets = await stores.of('apps/daemonsets');
    const spec = {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    };
    const generationOf = (object: { metadata: { annotations?: Record<string, string> } }) =>
      object.metadata.annotations?.['deprecated.daemonset.template.generation'];
    expect(generationOf(await sets.create({ metadata: { name: 'd' }, spec }))).toBe('1');
    const changed = await sets.update('d', (object) => {
      object.spec.template.spec.containers[0].image = 'other';
    });
    expect(generationOf(changed)).toBe('2');
  });
});

describe('reviews', () => {
  test('SelfSubjectReview returns the user', async () => {
    const reviews = await stores.of('authentication.k8s.io/selfsubjectreviews');
    expect((await reviews.respond({})).status.userInfo).toEqual({
      username: 'tester',
      uid: 'u1',
      groups: ['testers'],
      extra: { scope: ['all'] },
    });
  });

  test('SelfSubjectAccessReview and SubjectAccessReview return the decision of the authorizer', async () => {
    const reviews = await stores.of('authorization.k8s.io/selfsubjectaccessreviews');
    const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
    expect((await reviews.respond({ spec })).status).toEqual({ allowed: true });
    expect((await failureOf(reviews.respond({ spec: {} }))).message).toContain(
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  });

  test('SelfSubjectRulesReview returns the rules', async () => {
    const reviews = await stores.of('authorization.k8s.io/selfsubjectrulesreviews');
    const { status } = await reviews.respond({ spec: { namespace: 'default' } });
    expect(status).toEqual(await alwaysAllow.rulesFor?.({ name: '', uid: '', groups: [], extra: {} }, 'default'));
  });

  test('TokenReview authenticates the token', async () => {
    await stores.close();
    const known = { name: 'a', uid: '', groups: [], extra: {} };
    stores = await openTestStores({ tokens: audienceAgnostic([], (token) => (token === 't' ? known : undefined)) });
    const reviews = await stores.of('authentication.k8s.io/tokenreviews');
    const good = await reviews.respond({ spec: { token: 't' } });
    expect(good.status).toEqual({ authenticated: true, user: { username: 'a', groups: ['system:authenticated'] } });
    expect((await reviews.respond({ spec: { token: 'x' } })).status).toEqual({
      user: {},
      error: 'invalid bearer token',
    });
  });

  test('TokenReview returns the audiences in common', async () => {
    await stores.close();
    const known = { name: 'a', uid: '', groups: [], extra: {} };
    const tokens = unionTokenAuthenticator([
      audienceAgnostic(['own', 'api'], (token) => (token === 'plain' ? known : undefined)),
      {
        async authenticateToken(token, audiences) {
          if (token === 'expired') throw new AuthenticationError('too late');
          return token === 'narrow' ? { user: known, audiences } : undefined;
        },
      },
    ]);
    stores = await openTestStores({ tokens, audiences: ['own', 'api'] });
    const reviews = await stores.of('authentication.k8s.io/tokenreviews');
    const ask = async (token: string, audiences?: string[]) => (await reviews.respond({ spec: { token, audiences } })).status;
    expect(await ask('plain')).toMatchObject({ authenticated: true, audiences: ['own', 'api'] });
    expect(await ask('plain', ['x', 'api'])).toMatchObject({ authenticated: true, audiences: ['api'] });
    expect(await ask('plain', ['x'])).toEqual({ user: {}, error: 'invalid bearer token' });
    expect(await ask('narrow', ['x'])).toMatchObject({ authenticated: true, audiences: ['x'] });
    expect(await ask('expired')).toEqual({ user: {}, error: '[invalid bearer token, too late]' });
  });
});
