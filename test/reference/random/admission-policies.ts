import type { TestValue } from '../../support/test-object.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const registrationBeta = '/apis/admissionregistration.k8s.io/v1beta1';

/** kube-apiserver looks for changed policies once a second. In milliseconds. */
const policyRefresh = 1500;

/** Expressions of validations and conditions: true, false or an error, depending on the object. */
const booleans = [
  'true',
  'false',
  "object.metadata.name != 'x'",
  "object.metadata.name.startsWith('x')",
  "has(object.metadata.labels) && 'a' in object.metadata.labels",
  "object.metadata.labels.a == 'b'",
  "object.?metadata.labels['a'].orValue('') == 'b'",
  'oldObject == null',
  'oldObject == null || oldObject.metadata.name == object.metadata.name',
  "request.operation == 'CREATE'",
  "request.operation in ['CREATE', 'UPDATE']",
  "request.kind.kind == 'ConfigMap'",
  "request.resource.resource == 'pods' && request.subResource == ''",
  "request.userInfo.username == 'kubernetes-admin'",
  "'system:masters' in request.userInfo.groups",
  'request.dryRun',
  "request.namespace == 'admission'",
  "request.name == 'x'",
  "namespaceObject.metadata.labels.team == 'a'",
  'namespaceObject == null',
  'has(request.options.dryRun)',
  "authorizer.group('').resource('pods').namespace('admission').check('create').allowed()",
  "authorizer.group('').resource('pods').check('odd').reason() == ''",
  "authorizer.path('/healthz').check('get').allowed()",
  'authorizer.requestResource.check(request.operation.lowerAscii()).allowed()',
  "authorizer.serviceAccount('admission', 'default').group('').resource('pods').check('get').allowed()",
  'object.data.size() > 0',
  "object.data.all(k, k.matches('^[a-z]+$'))",
  "object.data['a'] == 'b'",
  'object.data[0] == 1',
  'object.spec.replicas <= 3',
  'object.spec.containers.all(c, c.image.contains(":"))',
  'object.odd.odd',
  '1 / 0 == 1',
  '[1, 2][5] == 1',
  "int('x') == 1",
  "quantity(object.data.size).isGreaterThan(quantity('1Gi'))",
  "url('https://x.io/y').getHost() == 'x.io'",
  "ip('10.0.0.1').family() == 4",
  "duration('1h') > duration('30m')",
  "'a,b'.split(',').size() == 2",
  "sets.contains(['a'], object.metadata.finalizers)",
  'format.dns1123Label().validate(object.metadata.name).hasValue()',
];
const paramBooleans = [
  "params.data.a == 'b'",
  'params == null',
  "params != null && params.metadata.name == 'p0'",
  "object.metadata.name != params.data['name']",
  'params.odd',
];
const variableBooleans = ['variables.v0', 'variables.v0 && variables.v1', '!variables.v0', 'variables.odd'];
const malformed = [
  '',
  'object.',
  'object.metadata.name',
  '1',
  "'x'",
  'odd == 1',
  'f(1)',
  'object.x == 1 &&',
  '[1,',
  'request.odd == 1',
  'variables.v9',
  'params.x == 1',
  'object + 1 == 2',
];
const texts = [
  "'plain'",
  "'name ' + object.metadata.name",
  'object.metadata.labels.a',
  'string(1 / 0)',
  "''",
  "' '",
  "'two\\nlines'",
  '1',
  "'operation ' + request.operation",
  'params.data.a',
  "object.data.map(k, k).join(',')",
  "'x' + string(object)",
];

/** What a mutation may write. */
const configurations = [
  "Object{metadata: Object.metadata{labels: {'m': 'v'}}}",
  "Object{metadata: Object.metadata{labels: {?'m': optional.of('v')}}}",
  "Object{metadata: Object.metadata{annotations: {'n': object.metadata.name}}}",
  "Object{data: {'c': 'd'}}",
  'Object{spec: Object.spec{replicas: 2}}',
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'c', env: [Object.spec.containers.env{name: 'E', value: '1'}]}]}}",
  "has(object.data) ? Object{data: {'has': 'data'}} : Object{}",
  "Object{metadata: Object.metadata{name: 'other'}}",
  'Object{odd: 1}',
  'Object{}',
  'object',
  "Object{data: {'p': params.data.a}}",
];
const jsonPatches = [
  "[JSONPatch{op: 'add', path: '/metadata/labels/j', value: 'k'}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'j': 'k'}}]",
  "[JSONPatch{op: 'test', path: '/metadata/name', value: 'x'}, JSONPatch{op: 'replace', path: '/data/a', value: 'z'}]",
  "[JSONPatch{op: 'remove', path: '/data/absent'}]",
  "[JSONPatch{op: 'copy', from: '/metadata/name', path: '/data/copied'}]",
  "[JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('a/b'), value: 'c'}]",
  "[JSONPatch{op: 'odd', path: '/data/a'}]",
  "object.metadata.name == 'x' ? [] : [JSONPatch{op: 'add', path: '/data', value: {'s': 't'}}]",
  '[]',
  "'x'",
];

const resourceRules: readonly TestValue[] = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] },
  { apiGroups: [''], apiVersions: ['*'], resources: ['configmaps', 'pods'], operations: ['CREATE', 'DELETE'] },
  { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'deployments/scale'], operations: ['CREATE', 'UPDATE'] },
  { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['*'], operations: ['*'] },
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE', 'DELETE'] },
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] },
  {
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['pods', 'pods/eviction', 'pods/binding'],
    operations: ['CREATE'],
    resourceNames: ['x'],
  },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'], scope: 'Cluster' },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'namespaces'], operations: ['CREATE'], scope: '*' },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'], operations: ['CONNECT'] },
  { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'], operations: ['CREATE'] },
];
const labelSelectors: readonly TestValue[] = [
  {},
  { matchLabels: { team: 'a' } },
  { matchLabels: { a: 'b' } },
  { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] },
  { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
];

/** Writes that policies and webhooks may decide about. */
export function write(random: Choices, names: readonly string[] = ['x', 'y']): Request {
  const namespace = random.pick(['admission', 'admission', 'other']);
  const name = random.pick(names);
  const labels = random.maybe(0.5, { labels: { a: random.pick(['b', 'c']) } });
  const dry = random.chance(0.85) ? '?dryRun=All' : '';
  const query = (more: string): string => (dry === '' ? `?${more}` : `${dry}&${more}`);
  const core = `/api/v1/namespaces/${namespace}`;
  const data = random.pick<TestValue>([{ a: 'b' }, { a: 'b', name: 'x', size: '2Gi' }, {}, undefined, { A1: 'z' }]);
  const template = { metadata: { labels: { l: 'm' } }, spec: { containers: [{ name: 'c', image: random.pick(['i', 'i:1']) }] } };
  const deployment = {
    metadata: { name, ...labels },
    spec: { replicas: random.between(0, 5), selector: { matchLabels: { l: 'm' } }, template },
  };
  const merge = 'application/merge-patch+json';
  return random.pick<Request>([
    { method: 'POST', path: `${core}/configmaps${dry}`, body: { metadata: { name, ...labels }, data } },
    { method: 'POST', path: `${core}/configmaps${dry}`, body: { metadata: { name: 'fresh', ...labels }, data } },
    { method: 'POST', path: `${core}/configmaps${dry}`, body: { metadata: { generateName: 'x-', ...labels }, data } },
    { method: 'PUT', path: `${core}/configmaps/kept${dry}`, body: { metadata: { name: 'kept', ...labels }, data } },
    { method: 'PATCH', path: `${core}/configmaps/kept${dry}`, contentType: merge, body: { metadata: labels, data } },
    {
      method: 'PATCH',
      path: `${core}/configmaps/kept${dry}`,
      contentType: 'application/json-patch+json',
      body: [{ op: 'add', path: '/data', value: { a: 'c' } }],
    },
    {
      method: 'PATCH',
      path: `${core}/configmaps/${random.pick(['kept', 'applied'])}${query('fieldManager=m')}`,
      contentType: 'application/apply-patch+yaml',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: labels, data: { b: 'c' } },
    },
    { method: 'DELETE', path: `${core}/configmaps/kept?dryRun=All` },
    { method: 'DELETE', path: `${core}/configmaps/${name}?dryRun=All` },
    { method: 'DELETE', path: `${core}/configmaps?dryRun=All&labelSelector=a%3Db` },
    { method: 'POST', path: `${core}/pods${dry}`, body: { metadata: { name, ...labels }, spec: template.spec } },
    { method: 'POST', path: `${core}/pods/pod/eviction?dryRun=All`, body: { metadata: { name: 'pod' } } },
    { method: 'POST', path: `${core}/pods/pod/binding?dryRun=All`, body: { target: { name: 'n' } } },
    { method: 'PATCH', path: `${core}/pods/pod/status?dryRun=All`, contentType: merge, body: { status: { message: 'm' } } },
    { method: 'POST', path: `/apis/apps/v1/namespaces/${namespace}/deployments${dry}`, body: deployment },
    {
      method: 'PATCH',
      path: `/apis/apps/v1/namespaces/${namespace}/deployments/kept/scale?dryRun=All`,
      contentType: merge,
      body: { spec: { replicas: 5 } },
    },
    {
      method: 'PATCH',
      path: `/apis/apps/v1/namespaces/${namespace}/deployments/kept${dry}`,
      contentType: merge,
      body: { spec: { replicas: random.between(0, 5) } },
    },
    { method: 'POST', path: `/api/v1/namespaces?dryRun=All`, body: { metadata: { name, ...labels } } },
    { method: 'POST', path: `${core}/serviceaccounts/default/token?dryRun=All`, body: { spec: {} } },
    {
      method: 'POST',
      path: `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers${dry}`,
      body: {
        metadata: { name, ...labels },
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      },
    },
  ]);
}

/** Objects that the writes need. */
export const written: readonly Request[] = [
  { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'admission', labels: { team: 'a' } } } },
  { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'other', labels: { team: 'b', a: 'b' } } } },
  ...['admission', 'other'].flatMap((namespace): Request[] => [
    { method: 'POST', path: `/api/v1/namespaces/${namespace}/serviceaccounts`, body: { metadata: { name: 'default' } } },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: { metadata: { name: 'kept', labels: { a: 'b' } }, data: { a: 'b' } },
    },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: { metadata: { name: 'p0', labels: { param: 'yes' } }, data: { a: 'b', name: 'x' } },
    },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      body: { metadata: { name: 'p1', labels: { param: 'yes' } }, data: { a: 'c' } },
    },
    {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/pods`,
      body: { metadata: { name: 'pod', labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
    {
      method: 'POST',
      path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
      body: {
        metadata: { name: 'kept' },
        spec: {
          replicas: 0,
          selector: { matchLabels: { l: 'm' } },
          template: { metadata: { labels: { l: 'm' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    },
  ]),
];

/** Scenes with random ValidatingAdmissionPolicies and MutatingAdmissionPolicies. */
export class PolicyScenes {
  readonly #random: Choices;
  readonly #seed: number;
  #hasParams = false;
  #hasVariables = false;

  constructor(seed: number) {
    this.#seed = seed;
    this.#random = new Choices(seed);
  }

  scene(): Scene {
    const requests: Request[] = [];
    const count = this.#random.between(1, 3);
    for (let at = 0; at < count; at++) requests.push(...this.#policy(`p${at}`, this.#random.chance(0.4)));
    requests.push(...this.#markers());
    for (let at = 0; at < 25; at++) requests.push(write(this.#random));
    return {
      title: 'policies',
      feature: 'admission policies',
      seed: this.#seed,
      requests,
      collection: '',
      name: '',
      isIndependent: true,
      pause: policyRefresh,
    };
  }

  #expression(): string {
    const random = this.#random;
    if (random.chance(0.02)) return random.pick(malformed);
    if (this.#hasParams && random.chance(0.4)) return random.pick(paramBooleans);
    if (this.#hasVariables && random.chance(0.4)) return random.pick(variableBooleans);
    return random.pick(booleans);
  }

  #matchResources(isPolicy: boolean): TestValue {
    const random = this.#random;
    return {
      ...(isPolicy || random.chance(0.3) ? { resourceRules: random.some(resourceRules, 2) } : {}),
      ...random.maybe(0.1, () => ({ excludeResourceRules: random.some(resourceRules, 1) })),
      ...random.maybe(0.2, () => ({ namespaceSelector: random.pick(labelSelectors) })),
      ...random.maybe(0.2, () => ({ objectSelector: random.pick(labelSelectors) })),
      ...random.maybe(0.3, () => ({ matchPolicy: random.pick(['Exact', 'Equivalent', 'Odd']) })),
    };
  }

  #conditions(): TestValue[] {
    return this.#random.some(['c0', 'c1', 'c2'], 2).map((name) => ({ name, expression: this.#expression() }));
  }

  #policy(name: string, isMutating: boolean): Request[] {
    const random = this.#random;
    const paramKind = random.pick<TestValue>([
      undefined,
      undefined,
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'v1', kind: 'ConfigMap' },
      { apiVersion: 'odd.io/v1', kind: 'Absent' },
      { apiVersion: 'v1', kind: 'Namespace' },
    ]);
    this.#hasParams = paramKind !== undefined;
    this.#hasVariables = random.chance(0.3);
    const spec: TestValue = {
      ...(paramKind === undefined ? {} : { paramKind }),
      matchConstraints: this.#matchResources(true),
      ...(this.#hasVariables
        ? {
            variables: [
              { name: 'v0', expression: random.pick(booleans) },
              { name: 'v1', expression: random.pick(['variables.v0', 'true', '1 / 0 == 0']) },
            ],
          }
        : {}),
      ...random.maybe(0.3, () => ({ matchConditions: this.#conditions() })),
      ...random.maybe(0.5, () => ({ failurePolicy: random.pick(['Fail', 'Ignore']) })),
    };
    if (isMutating) {
      spec.reinvocationPolicy = random.pick(['Never', 'IfNeeded']);
      spec.mutations = Array.from({ length: random.between(1, 2) }, () =>
        random.chance(0.5)
          ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: random.pick(configurations) } }
          : { patchType: 'JSONPatch', jsonPatch: { expression: random.pick(jsonPatches) } },
      );
    } else {
      if (random.chance(0.9)) spec.validations = Array.from({ length: random.between(1, 3) }, () => this.#validation());
      if (random.chance(0.3) || spec.validations === undefined) {
        spec.auditAnnotations = [
          { key: 'k', valueExpression: random.pick([...texts, 'null', "object.metadata.name == 'x' ? 'yes' : null"]) },
        ];
      }
    }
    const base = isMutating ? `${registrationBeta}/mutatingadmissionpolic` : `${registration}/validatingadmissionpolic`;
    const binding: TestValue = {
      metadata: { name },
      spec: {
        policyName: name,
        ...(isMutating
          ? {}
          : {
              validationActions: random.pick([
                ['Deny'],
                ['Deny'],
                ['Deny', 'Audit'],
                ['Warn'],
                ['Warn', 'Audit'],
                ['Audit'],
                ['Deny', 'Warn'],
              ]),
            }),
        ...(paramKind !== undefined && random.chance(0.9) ? { paramRef: this.#paramRef() } : {}),
        ...random.maybe(0.2, () => ({ matchResources: this.#matchResources(false) })),
      },
    };
    return [
      { method: 'POST', path: `${base}ies`, body: { metadata: { name }, spec } },
      { method: 'POST', path: `${base}ybindings`, body: binding },
    ];
  }

  #validation(): TestValue {
    const random = this.#random;
    return {
      expression: this.#expression(),
      ...random.maybe(0.4, () => ({ message: random.pick(['refused', 'a message', ' ', 'two\nlines']) })),
      ...random.maybe(0.3, () => ({ messageExpression: random.pick(texts) })),
      ...random.maybe(0.3, () => ({ reason: random.pick(['Forbidden', 'Invalid', 'Unauthorized', 'RequestEntityTooLarge', 'Odd']) })),
    };
  }

  #paramRef(): TestValue {
    const random = this.#random;
    return {
      ...random.pick<TestValue>([
        { name: 'p0' },
        { name: 'p0', namespace: 'admission' },
        { name: 'p1', namespace: 'other' },
        { name: 'absent' },
        { selector: { matchLabels: { param: 'yes' } } },
        { selector: { matchLabels: { param: 'no' } } },
        { selector: {}, namespace: 'other' },
        { name: 'p0', selector: {} },
      ]),
      ...random.maybe(0.95, () => ({ parameterNotFoundAction: random.pick(['Allow', 'Deny']) })),
    };
  }

  /** Waits until the policies have come to admission. */
  *#markers(): Iterable<Request> {
    const name = `marker-${this.#seed}`;
    const matchConstraints = { resourceRules: [{ ...resourceRules[0], resourceNames: [name] }] };
    yield {
      method: 'POST',
      path: `${registrationBeta}/mutatingadmissionpolicies`,
      body: {
        metadata: { name },
        spec: {
          matchConstraints,
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'marker': 'yes'}}}" },
            },
          ],
        },
      },
    };
    yield {
      method: 'POST',
      path: `${registrationBeta}/mutatingadmissionpolicybindings`,
      body: { metadata: { name }, spec: { policyName: name } },
    };
    yield {
      method: 'POST',
      path: `${registration}/validatingadmissionpolicies`,
      body: {
        metadata: { name },
        spec: {
          matchConstraints,
          validations: [{ expression: "object.?metadata.labels.marker.orValue('') != 'yes'", reason: 'Unauthorized' }],
        },
      },
    };
    yield {
      method: 'POST',
      path: `${registration}/validatingadmissionpolicybindings`,
      body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
    };
    yield { method: 'POST', path: '/api/v1/namespaces/admission/configmaps?dryRun=All', body: { metadata: { name } }, until: 401 };
  }
}
