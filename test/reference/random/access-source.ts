import { makeCertificateRequest } from '../../support/certificate-request.ts';
import { Random } from '../../support/random.ts';
import type { TestObject, TestValue } from '../../support/test-object.ts';
import { nodeWorld } from './access-world.ts';
import type { Request } from './exchange.ts';
import type { Scene } from './scenes.ts';
import type { Source } from './sources.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const rbacGroup = 'rbac.authorization.k8s.io';
const reviews = '/apis/authorization.k8s.io/v1';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const merge = 'application/merge-patch+json';

/** Users with their tokens `token-NAME`. */
const users = [
  'u0,,g0',
  'u1,uid-1,"g0,g1"',
  'u2,uid-2',
  'u3,uid-3,"g1,system:serviceaccounts"',
  'system:node:node-0,uid-n0,system:nodes',
  'system:node:node-1,uid-n1,system:nodes',
  'system:node:node-9,uid-n9,system:nodes',
  'system:node:,uid-n,system:nodes',
  'x-node,,system:nodes',
  'system:serviceaccount:alpha:robot,uid-sa,"system:serviceaccounts,system:serviceaccounts:alpha"',
];
const nameOf = (user: string): string => user.split(',')[0];
const tokenOf = (name: string): string => `token-${name.replaceAll(':', '-')}`;
const people = users.map(nameOf).filter((name) => /^u\d/.test(name));
const nodes = users.map(nameOf).filter((name) => name.includes('node'));

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const specialVerbs = [
  '*',
  'impersonate',
  'bind',
  'escalate',
  'approve',
  'sign',
  'attest',
  'use',
  'impersonate:user-info',
  'impersonate:serviceaccount',
  'impersonate:arbitrary-node',
  'impersonate:associated-node',
  'impersonate-on:user-info:create',
  'impersonate-on:user-info:list',
  'impersonate-on:serviceaccount:get',
  'impersonate-on:arbitrary-node:get',
];
/** Resources and their groups. */
const resources: readonly (readonly [string, string])[] = [
  ['', 'configmaps'],
  ['', 'secrets'],
  ['', 'pods'],
  ['', 'pods/status'],
  ['', 'pods/log'],
  ['', 'pods/eviction'],
  ['', 'pods/*'],
  ['', 'serviceaccounts'],
  ['', 'serviceaccounts/token'],
  ['', 'namespaces'],
  ['', 'nodes'],
  ['', 'nodes/status'],
  ['', 'persistentvolumeclaims'],
  ['', 'users'],
  ['', 'groups'],
  ['apps', 'deployments'],
  ['apps', 'deployments/scale'],
  ['apps', '*/scale'],
  ['', '*'],
  ['*', '*'],
  ['*', '*/status'],
  [rbacGroup, 'roles'],
  [rbacGroup, 'rolebindings'],
  [rbacGroup, 'clusterroles'],
  [rbacGroup, 'clusterrolebindings'],
  ['authentication.k8s.io', 'users'],
  ['authentication.k8s.io', 'groups'],
  ['authentication.k8s.io', 'uids'],
  ['authentication.k8s.io', 'userextras/acme.io/x'],
  ['authentication.k8s.io', 'userextras/*'],
  ['authentication.k8s.io', 'nodes'],
  ['authentication.k8s.io', 'serviceaccounts'],
  ['authentication.k8s.io', 'selfsubjectreviews'],
  ['authorization.k8s.io', 'subjectaccessreviews'],
  ['authorization.k8s.io', 'localsubjectaccessreviews'],
  ['certificates.k8s.io', 'certificatesigningrequests'],
  ['certificates.k8s.io', 'certificatesigningrequests/approval'],
  ['certificates.k8s.io', 'certificatesigningrequests/status'],
  ['certificates.k8s.io', 'signers'],
  ['coordination.k8s.io', 'leases'],
];
const names = ['x', 'm0', 's0', 's1', 'p0', 'd0', 'robot', 'view', 'u1', 'g0', 'g1', 'jane', 'acme.io/*', 'acme.io/signer', 'r0', 'r1'];
const urls = ['/healthz', '/healthz/*', '/metrics', '/openapi/*', '/openapi/v2', '/apis', '/apis/*', '/api', '*', '/logs/*', '/odd', '/'];
const namespaces = ['alpha', 'beta', 'absent'];

const subjects: readonly TestValue[] = [
  ...people.map((name) => ({ apiGroup: rbacGroup, kind: 'User', name })),
  ...['g0', 'g1', 'system:authenticated', 'system:serviceaccounts:alpha', 'system:nodes', 'system:unauthenticated'].map((name) => ({
    apiGroup: rbacGroup,
    kind: 'Group',
    name,
  })),
  { kind: 'ServiceAccount', name: 'robot', namespace: 'alpha' },
  { kind: 'ServiceAccount', name: 'robot' },
  { apiGroup: rbacGroup, kind: 'User', name: 'jane' },
  { apiGroup: rbacGroup, kind: 'User', name: '*' },
];

const selectors = [
  '',
  '',
  'labelSelector=a%3Db',
  'labelSelector=a%20in%20(b,c),!d',
  'fieldSelector=metadata.name%3Dm0',
  'fieldSelector=metadata.name!%3Dm0',
  'fieldSelector=spec.nodeName%3Dnode-0',
  'fieldSelector=spec.nodeName%3Dnode-1',
  'fieldSelector=spec.nodeName%3Dnode-0,metadata.name%3Dp0',
  'fieldSelector=odd%3Dx',
  'labelSelector=a%3Db%3Dc',
  'limit=1',
];

const { request: certificateRequest } = makeCertificateRequest({ commonName: 'x' });
const { request: nodeRequest } = makeCertificateRequest({ commonName: 'system:node:node-0', organizations: ['system:nodes'] });

const collections = (namespace: string): readonly string[] => [
  `/api/v1/namespaces/${namespace}/configmaps`,
  `/api/v1/namespaces/${namespace}/secrets`,
  `/api/v1/namespaces/${namespace}/pods`,
  `/api/v1/namespaces/${namespace}/serviceaccounts`,
  `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  `/apis/apps/v1/namespaces/${namespace}/deployments`,
  `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
  `${rbac}/namespaces/${namespace}/roles`,
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/api/v1/configmaps',
  '/api/v1/pods',
  `${rbac}/clusterroles`,
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
];

/** Random requests of users with random permissions. */
class AccessScenes {
  readonly #random: Random;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Random(seed);
  }

  scene(): Scene {
    const requests = [...this.#permissions(), ...this.#markers()];
    const ways = [
      () => this.#request(),
      () => this.#request(),
      () => this.#subresource(),
      () => this.#node(),
      () => this.#node(),
      () => this.#review(),
      () => this.#review(),
      () => this.#rulesReview(),
      () => this.#impersonation(),
      () => this.#impersonation(),
      () => this.#escalation(),
      () => this.#escalation(),
      () => this.#url(),
      () => this.#certificate(),
    ];
    for (let count = 0; count < 40; count++) requests.push(this.#pick(ways)());
    return { title: 'access', feature: 'users and permissions', seed: this.#seed, requests, collection: '', name: '', isIndependent: true };
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  /** Some of the items, one at least. */
  #some<T>(items: readonly T[], most: number): T[] {
    return Array.from({ length: this.#random.between(1, most) }, () => this.#pick(items));
  }

  #verbs(): string[] {
    return this.#some(this.#random.chance(0.6) ? verbs : [...verbs, ...specialVerbs, ...specialVerbs], 4);
  }

  #rule(isCluster: boolean): TestValue {
    if (isCluster && this.#random.chance(0.15))
      return { verbs: this.#some(['get', 'post', '*', 'head'], 2), nonResourceURLs: this.#some(urls, 3) };
    const found = this.#some(resources, 3);
    const rule: TestValue = {
      verbs: this.#verbs(),
      apiGroups: [...new Set(found.map(([group]) => group))],
      resources: found.map(([, name]) => name),
    };
    if (this.#random.chance(0.25)) rule.resourceNames = this.#some(names, 3);
    if (this.#random.chance(0.02)) rule.nonResourceURLs = ['/odd'];
    return rule;
  }

  #rules(isCluster: boolean): TestValue[] {
    return Array.from({ length: this.#random.between(0, 3) }, () => this.#rule(isCluster));
  }

  #permissions(): Request[] {
    const requests: Request[] = [];
    for (let at = 0; at < this.#random.between(1, 3); at++) {
      requests.push({ method: 'POST', path: `${rbac}/clusterroles`, body: { metadata: { name: `r${at}` }, rules: this.#rules(true) } });
      requests.push({ method: 'POST', path: `${rbac}/clusterrolebindings`, body: this.#binding(`b${at}`, 'ClusterRole') });
    }
    for (let at = 0; at < this.#random.between(1, 3); at++) {
      const namespace = this.#pick(['alpha', 'alpha', 'beta']);
      requests.push({
        method: 'POST',
        path: `${rbac}/namespaces/${namespace}/roles`,
        body: { metadata: { name: `r${at}` }, rules: this.#rules(false) },
      });
      requests.push({
        method: 'POST',
        path: `${rbac}/namespaces/${namespace}/rolebindings`,
        body: this.#binding(`b${at}`, this.#pick(['Role', 'Role', 'ClusterRole'])),
      });
    }
    return requests;
  }

  #binding(
    name: string,
    kind: string,
    role = this.#pick(['r0', 'r1', 'r2', 'view', 'edit', 'admin', 'system:node', 'absent']),
  ): TestObject {
    const given = this.#random.chance(0.8) ? this.#pick(['r0', 'r1']) : role;
    return { metadata: { name }, roleRef: { apiGroup: rbacGroup, kind, name: given }, subjects: this.#some(subjects, 3) };
  }

  /** Waits until the permissions have come to the authorizers. */
  *#markers(): Iterable<Request> {
    const name = `marker-${this.#seed}`;
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
    const of = (kind: string): TestValue => ({
      metadata: { name },
      roleRef: { apiGroup: rbacGroup, kind, name },
      subjects: [{ apiGroup: rbacGroup, kind: 'User', name: `${name}-${kind}` }],
    });
    for (const [prefix, kind] of [
      [`${rbac}/cluster`, 'ClusterRole'],
      [`${rbac}/namespaces/alpha/`, 'Role'],
    ]) {
      yield { method: 'POST', path: `${prefix}roles`, body: { metadata: { name }, rules } };
      yield { method: 'POST', path: `${prefix}rolebindings`, body: of(kind) };
      yield {
        method: 'GET',
        path: '/api/v1/namespaces/alpha/configmaps/absent',
        headers: { 'impersonate-user': `${name}-${kind}` },
        until: 404,
      };
    }
  }

  #as(user: string): Request['headers'] {
    return { authorization: `Bearer ${tokenOf(user)}` };
  }

  /** A user, now and then without a token or with a wrong one. */
  #anyone(): Request['headers'] {
    if (this.#random.chance(0.03)) return { authorization: this.#pick(['Bearer wrong', 'Basic eDp5', 'Bearer', '']) };
    return this.#as(this.#pick([...people, ...people, nameOf(users[users.length - 1])]));
  }

  #request(): Request {
    const headers = this.#anyone();
    const collection = this.#pick(collections(this.#pick(namespaces)));
    const object = `${collection}/${this.#pick(['x', 'm0', 's0', 's1', 'p0', 'd0', 'robot', 'alpha', 'node-0', 'view'])}`;
    const kind = this.#pick(['get', 'list', 'list', 'watch', 'create', 'update', 'patch', 'apply', 'delete', 'deletecollection']);
    switch (kind) {
      case 'get':
        return { method: 'GET', path: object, headers };
      case 'list':
        return { method: 'GET', path: `${collection}?${this.#pick(selectors)}`, headers };
      case 'watch':
        return {
          method: 'GET',
          path: `${this.#random.chance(0.3) ? collection.replace('/v1/', '/v1/watch/') : collection}?watch=true&timeoutSeconds=1&resourceVersion=0&${this.#pick(selectors)}`,
          headers,
          accept: this.#pick(['application/json', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io']),
        };
      case 'create':
        return { method: 'POST', path: `${collection}?dryRun=All`, headers, body: { metadata: { name: 'x' } } };
      case 'update':
        return { method: 'PUT', path: `${object}?dryRun=All`, headers, body: { metadata: { name: 'x' } } };
      case 'patch':
        return { method: 'PATCH', path: `${object}?dryRun=All`, headers, contentType: merge, body: { metadata: { labels: { a: 'b' } } } };
      case 'apply':
        return {
          method: 'PATCH',
          path: `/api/v1/namespaces/alpha/configmaps/${this.#pick(['x', 'm0'])}?dryRun=All&fieldManager=m`,
          headers,
          contentType: 'application/apply-patch+yaml',
          body: { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
        };
      case 'delete':
        return { method: 'DELETE', path: `${object}?dryRun=All`, headers };
      default:
        return { method: 'DELETE', path: `${collection}?dryRun=All&${this.#pick(selectors)}`, headers };
    }
  }

  #subresource(): Request {
    const headers = this.#anyone();
    const namespace = this.#pick(namespaces);
    return this.#pick<Request>([
      { method: 'GET', path: `/apis/apps/v1/namespaces/${namespace}/deployments/d0/scale`, headers },
      {
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/${namespace}/deployments/d0/scale?dryRun=All`,
        headers,
        contentType: merge,
        body: { spec: { replicas: 2 } },
      },
      { method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/p0/eviction?dryRun=All`, headers, body: { metadata: { name: 'p0' } } },
      { method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/p0/binding?dryRun=All`, headers, body: { target: { name: 'node-0' } } },
      {
        method: 'PATCH',
        path: `/api/v1/namespaces/${namespace}/pods/p0/status?dryRun=All`,
        headers,
        contentType: merge,
        body: { status: { phase: 'Running' } },
      },
      { method: 'GET', path: `/api/v1/namespaces/${namespace}/pods/p0/odd`, headers },
      { method: 'POST', path: `/api/v1/namespaces/${namespace}/serviceaccounts/robot/token?dryRun=All`, headers, body: { spec: {} } },
      { method: 'GET', path: '/api/v1/namespaces/alpha/status', headers },
    ]);
  }

  /** A request of a kubelet, or of a user that looks like one. */
  #node(): Request {
    const headers = this.#as(this.#pick(nodes));
    return { ...this.#pick(nodeWorld.requests)(this.#random), headers };
  }

  #attributes(): TestValue {
    const [group, resource] = this.#pick(resources);
    const [name, subresource] = resource.split('/');
    if (this.#random.chance(0.12)) return { nonResourceAttributes: { verb: this.#pick(['get', 'post', '*']), path: this.#pick(urls) } };
    const attributes: TestValue = {
      verb: this.#pick([...verbs, ...verbs, ...specialVerbs]),
      group,
      resource: name,
      ...(subresource === undefined ? {} : { subresource }),
      ...(this.#random.chance(0.7) ? { namespace: this.#pick(namespaces) } : {}),
      ...(this.#random.chance(0.4) ? { name: this.#pick(names) } : {}),
      ...(this.#random.chance(0.2) ? { version: this.#pick(['v1', '*', 'v2']) } : {}),
    };
    if (this.#random.chance(0.15)) attributes.fieldSelector = this.#selector();
    if (this.#random.chance(0.15)) attributes.labelSelector = this.#selector();
    return { resourceAttributes: attributes };
  }

  #selector(): TestValue {
    return this.#pick<TestValue>([
      { rawSelector: 'a=b' },
      { rawSelector: 'spec.nodeName=node-0,metadata.name!=x' },
      { rawSelector: 'a in (b,c),!d' },
      { rawSelector: '=' },
      { rawSelector: 'a=b', requirements: [] },
      { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'Exists' }] },
      { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['node-0'] }] },
      { requirements: [{ key: 'a', operator: 'NotIn', values: ['b', 'c'] }] },
      { requirements: [{ key: 'a', operator: 'In' }] },
      { requirements: [{ key: '', operator: 'Exists', values: ['x'] }] },
      { requirements: [{ key: 'a', operator: 'Odd' }] },
      { requirements: [{ key: 'a', operator: 'DoesNotExist' }] },
      { requirements: [] },
      {},
    ]);
  }

  #review(): Request {
    const spec = this.#attributes();
    if (this.#random.chance(0.05)) Object.assign(spec, this.#attributes());
    const chance = (probability: number): boolean => this.#random.chance(probability);
    if (chance(0.3)) return { method: 'POST', path: `${reviews}/selfsubjectaccessreviews`, headers: this.#anyone(), body: { spec } };
    const user: TestValue = {
      ...(chance(0.9) ? { user: this.#pick([...people, ...nodes, 'jane', 'system:serviceaccount:alpha:robot']) } : {}),
      ...(chance(0.4) ? { groups: this.#some(['g0', 'g1', 'system:masters', 'system:nodes', 'system:authenticated', ''], 3) } : {}),
      ...(chance(0.1) ? { uid: 'u', extra: { 'acme.io/x': ['1'], 'Acme.io/Y': null } } : {}),
    };
    const headers = chance(0.2) ? this.#anyone() : {};
    if (chance(0.6)) return { method: 'POST', path: `${reviews}/subjectaccessreviews`, headers, body: { spec: { ...spec, ...user } } };
    return {
      method: 'POST',
      path: `${reviews}/namespaces/${this.#pick(namespaces)}/localsubjectaccessreviews`,
      headers,
      body: { ...(chance(0.2) ? { metadata: { namespace: 'alpha' } } : {}), spec: { ...spec, ...user } },
    };
  }

  #rulesReview(): Request {
    const spec = this.#pick<TestValue>([{ namespace: 'alpha' }, { namespace: 'beta' }, { namespace: 'absent' }, { namespace: '' }, {}]);
    const user = this.#random.chance(0.3) ? this.#as(this.#pick(nodes)) : this.#anyone();
    return { method: 'POST', path: `${reviews}/selfsubjectrulesreviews`, headers: user, body: { spec } };
  }

  #impersonation(): Request {
    const headers: Record<string, string | readonly string[]> = {};
    const chance = (probability: number): boolean => this.#random.chance(probability);
    if (chance(0.92)) {
      headers['impersonate-user'] = this.#pick([
        ...people,
        'jane',
        'system:serviceaccount:alpha:robot',
        'system:serviceaccount:alpha:absent',
        'system:serviceaccount:beta',
        'system:node:node-0',
        'system:node:',
        'system:anonymous',
        'system:odd',
        '',
        'a b',
      ]);
    }
    if (chance(0.4))
      headers['impersonate-group'] = this.#some(
        ['g0', 'g1', 'system:masters', 'system:nodes', 'system:authenticated', 'system:unauthenticated', ''],
        3,
      );
    if (chance(0.2)) headers['impersonate-uid'] = this.#pick(['uid-1', 'x', '']);
    if (chance(0.25))
      headers[this.#pick(['impersonate-extra-acme.io%2fx', 'Impersonate-Extra-Scopes', 'impersonate-extra-%zz', 'impersonate-extra-'])] =
        this.#some(['1', '2', 'a b'], 2);
    const user = chance(0.25) ? {} : this.#as(this.#pick([...people, ...people, ...nodes]));
    const asked = this.#pick<Request>([
      { method: 'POST', path: whoAmI, body: {} },
      { method: 'POST', path: whoAmI, body: {} },
      { method: 'GET', path: '/api/v1/namespaces/alpha/configmaps' },
      { method: 'GET', path: '/api/v1/nodes/node-0' },
      { method: 'GET', path: '/apis' },
      { method: 'POST', path: '/api/v1/namespaces/alpha/configmaps?dryRun=All', body: { metadata: { name: 'y' } } },
    ]);
    return { ...asked, headers: { ...user, ...headers } };
  }

  /** Writes of roles and bindings that give away permissions. */
  #escalation(): Request {
    const headers = this.#random.chance(0.1) ? { 'impersonate-user': 'u0', 'impersonate-group': ['system:masters'] } : this.#anyone();
    const isCluster = this.#random.chance(0.5);
    const prefix = isCluster ? `${rbac}/cluster` : `${rbac}/namespaces/${this.#pick(['alpha', 'beta'])}/`;
    const kind = isCluster ? 'ClusterRole' : this.#pick(['Role', 'Role', 'ClusterRole']);
    const wanted = this.#random.between(0, 4);
    const rules = this.#rules(isCluster);
    if (wanted === 0) return { method: 'POST', path: `${prefix}roles?dryRun=All`, headers, body: { metadata: { name: 'new' }, rules } };
    if (wanted === 1) return { method: 'PUT', path: `${prefix}roles/r0?dryRun=All`, headers, body: { metadata: { name: 'r0' }, rules } };
    if (wanted === 2) return { method: 'PATCH', path: `${prefix}roles/r0?dryRun=All`, headers, contentType: merge, body: { rules } };
    if (wanted === 3) return { method: 'POST', path: `${prefix}rolebindings?dryRun=All`, headers, body: this.#binding('new', kind) };
    return {
      method: 'PATCH',
      path: `${prefix}rolebindings/b0?dryRun=All`,
      headers,
      contentType: merge,
      body: { subjects: this.#some(subjects, 2) },
    };
  }

  #url(): Request {
    const path = this.#pick([
      '/healthz',
      '/healthz/ping',
      '/livez',
      '/readyz',
      '/api',
      '/apis',
      '/apis/apps',
      '/apis/odd',
      '/odd',
      '/',
      '/logs',
      '/logs/',
      '/openapi/v3',
      '/.well-known/openid-configuration',
      '/openid/v1/jwks/',
      '/api/v1/odd',
      '/api/v1/namespaces//pods',
      '/api//v1',
    ]);
    return {
      method: this.#pick(['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT', 'OPTIONS']),
      path,
      headers: this.#random.chance(0.2) ? {} : this.#anyone(),
    };
  }

  /** Writes of certificate requests, and of decisions about them. */
  #certificate(): Request {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const headers = this.#random.chance(0.3) ? this.#as(this.#pick(nodes)) : this.#anyone();
    const condition = { type: this.#pick(['Approved', 'Denied', 'Failed']), status: 'True', reason: 'r' };
    if (this.#random.chance(0.4)) {
      const spec = {
        request: this.#pick([certificateRequest, nodeRequest]),
        signerName: this.#pick([
          'acme.io/signer',
          'kubernetes.io/kube-apiserver-client-kubelet',
          'kubernetes.io/kubelet-serving',
          'kubernetes.io/kube-apiserver-client',
        ]),
        usages: ['client auth', 'digital signature'],
      };
      return { method: 'POST', path: `${path}?dryRun=All`, headers, body: { metadata: { name: 'new' }, spec } };
    }
    const subresource = this.#pick(['approval', 'approval', 'status']);
    const status = subresource === 'status' && this.#random.chance(0.5) ? { certificate: 'eA==' } : { conditions: [condition] };
    return {
      method: 'PATCH',
      path: `${path}/${this.#pick(['csr-0', 'csr-1'])}/${subresource}?dryRun=All`,
      headers,
      contentType: merge,
      body: { status },
    };
  }
}

/** Requests of users with random permissions, of nodes, and reviews of what they may do. */
export function access(): Source {
  const request = (name: string, signerName: string): Request => ({
    method: 'POST',
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    body: { metadata: { name }, spec: { request: certificateRequest, signerName, usages: ['client auth'] } },
  });
  return {
    options: {
      featureGates: ['ConstrainedImpersonation'],
      enableAdmissionPlugins: ['NodeRestriction', 'OwnerReferencesPermissionEnforcement'],
      tokens: users.map((user) => `${tokenOf(nameOf(user))},${user}`),
    },
    given: [...nodeWorld.given, request('csr-0', 'acme.io/signer'), request('csr-1', 'kubernetes.io/kube-apiserver-client')],
    scenes: (seed, titles) => (titles.test('access') ? [new AccessScenes(seed).scene()] : []),
  };
}
