import type { TestValue } from '../../support/test-object.ts';
import { type Answer, type ReceivedRequest, WebhookServer } from '../../support/webhook-server.ts';
import { write } from './admission-policies.ts';
import type { Request } from './exchange.ts';
import { Choices } from './random-objects.ts';
import type { Scene } from './scenes.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';

/** Responses of webhooks, without the uid. Patches are lists. `echo` denies with the review's request in the message. */
const responses: readonly TestValue[] = [
  { allowed: true },
  { allowed: true, warnings: ['a warning', 'another "one"'] },
  { allowed: true, auditAnnotations: { k: 'v', 'bad key!': 'v' } },
  { allowed: false },
  { allowed: false, status: { message: 'no' } },
  { allowed: false, status: { message: 'teapot', code: 418, reason: 'Odd' } },
  { allowed: false, status: { message: 'conflict', code: 409 } },
  { allowed: false, status: { code: 200, message: 'fine?' } },
  { allowed: false, status: { reason: 'Only a reason' } },
  { allowed: false, status: { message: 'no', details: { causes: [{ field: 'f', message: 'm' }] } }, warnings: ['w'] },
  { allowed: false, echo: true },
  { allowed: false, echo: true },
  { allowed: true, warnings: [`${'long '.repeat(60)}`, '', 'line\nbreak'] },
];
const patches: readonly TestValue[] = [
  { allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: { w: 'x' } }] },
  { allowed: true, patch: [{ op: 'add', path: '/metadata/annotations', value: { w: 'x' } }] },
  { allowed: true, patch: [{ op: 'add', path: '/metadata/labels/w', value: 'x' }] },
  { allowed: true, patch: [{ op: 'replace', path: '/data/a', value: 'patched' }] },
  { allowed: true, patch: [{ op: 'add', path: '/data', value: { 'not/a/key': 'x' } }] },
  { allowed: true, patch: [{ op: 'add', path: '/odd', value: 1 }] },
  { allowed: true, patch: [{ op: 'remove', path: '/absent' }] },
  { allowed: true, patch: [{ op: 'replace', path: '/metadata/name', value: 'renamed' }] },
  { allowed: true, patch: [{ op: 'replace', path: '/kind', value: 'Odd' }] },
  { allowed: true, patch: [{ op: 'add', path: '/spec/replicas', value: 'x' }] },
  { allowed: true, patch: [] },
  { allowed: true, patch: 'not json' },
  { allowed: true, patch: {} },
  { allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: { w: 'x' } }], patchType: 'Odd' },
  { allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: { w: 'x' } }], patchType: null },
  { allowed: false, patch: [{ op: 'add', path: '/metadata/labels', value: { w: 'x' } }] },
];
/** The target of a redirect. A client that follows it sends a GET without a review. */
const elsewhere = '/elsewhere';

/** Responses that are no reviews. */
const broken: readonly TestValue[] = [
  { raw: { status: 500, body: 'failed' } },
  { raw: { status: 404, body: '' } },
  { raw: { status: 200, body: 'not json' } },
  { raw: { status: 200, body: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: null } } },
  { raw: { status: 200, body: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'other', allowed: true } } } },
  { raw: { status: 200, body: { kind: 'Odd', apiVersion: 'v1' } } },
  { raw: { status: 200, body: { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1', response: { allowed: true } } } },
  { raw: { status: 200, body: {} } },
  { raw: { status: 200, body: [] } },
  { raw: { status: 301, headers: { location: elsewhere }, body: '' } },
  'hang',
  'reset',
];

const rules: readonly TestValue[] = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods', 'pods/*'], operations: ['*'] },
  { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments', 'deployments/scale'], operations: ['CREATE', 'UPDATE'] },
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*', '*/*'], operations: ['*'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] },
  { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'], operations: ['CREATE'] },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'], operations: ['CREATE'], scope: 'Cluster' },
  { apiGroups: [''], apiVersions: ['v1'], resources: ['serviceaccounts/token'], operations: ['CREATE'], scope: 'Namespaced' },
];
const conditions = [
  'true',
  'false',
  "request.operation == 'CREATE'",
  "object.metadata.name == 'x'",
  'object.odd.odd',
  "!('system:masters' in request.userInfo.groups)",
  "oldObject != null && oldObject.metadata.name == 'kept'",
  "authorizer.group('').resource('pods').check('get').allowed()",
  '1 / 0 == 0',
];
const namespaceLabels: readonly TestValue[] = [{ matchLabels: { team: 'a' } }, { matchLabels: { a: 'b' } }, { matchLabels: { odd: 'x' } }];
/** The namespace of the markers is for no other webhook. */
const outside = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['default'] }] };
const selectors: readonly TestValue[] = [
  { matchLabels: { team: 'a' } },
  { matchLabels: { a: 'b' } },
  { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] },
  { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['admission'] }] },
];

/** Members of each object in alphabetical order. */
function sorted(value: TestValue): TestValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** A webhook whose response is in its URL. */
function respond({ method, url, body: review }: ReceivedRequest): Answer {
  if (url.startsWith(elsewhere)) return { status: 404, body: `no webhook takes a ${method}` };
  const wanted: TestValue = JSON.parse(Buffer.from(url.replace(/^\/|\?.*$/g, ''), 'base64url').toString());
  if (typeof wanted === 'string') return wanted as Answer;
  if (wanted.raw !== undefined) return wanted.raw;
  const { apiVersion, kind, request } = review;
  const { patch, echo, ...response } = wanted;
  const { uid, ...seen } = request;
  return {
    body: {
      apiVersion,
      kind,
      response: {
        uid,
        ...(patch === undefined
          ? {}
          : { patchType: 'JSONPatch', patch: Buffer.from(typeof patch === 'string' ? patch : JSON.stringify(patch)).toString('base64') }),
        ...response,
        ...(echo ? { status: { message: JSON.stringify(sorted(seen)) } } : {}),
      },
    },
  };
}

/** Scenes with random webhooks, of one server for both sides. */
export class WebhookScenes {
  readonly #server: WebhookServer;
  #random = new Choices(0);
  #seed = 0;
  #isSaid = false;

  private constructor(server: WebhookServer) {
    this.#server = server;
  }

  static async open(): Promise<WebhookScenes> {
    return new WebhookScenes(await WebhookServer.open(respond));
  }

  scene(seed: number): Scene {
    this.#seed = seed;
    this.#isSaid = false;
    this.#random = new Choices(seed);
    const random = this.#random;
    const requests: Request[] = [];
    for (let at = 0; at < random.between(1, 2); at++) {
      const isMutating = random.chance(0.5);
      const webhooks = Array.from({ length: random.between(1, 3) }, (_, index) => this.#webhook(`w${index}.x.io`, isMutating));
      requests.push(this.#configuration(`h${at}`, isMutating, webhooks));
    }
    requests.push(...this.#markers());
    for (let at = 0; at < 25; at++) requests.push(write(random));
    return { title: 'webhooks', feature: 'admission webhooks', seed, requests, collection: '', name: '', isIndependent: true };
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #configuration(name: string, isMutating: boolean, webhooks: readonly TestValue[]): Request {
    const resource = isMutating ? 'mutatingwebhookconfigurations' : 'validatingwebhookconfigurations';
    return { method: 'POST', path: `${registration}/${resource}`, body: { metadata: { name }, webhooks } };
  }

  #clientConfig(response: TestValue): TestValue {
    const { authority, url } = this.#server;
    const path = Buffer.from(JSON.stringify(response)).toString('base64url');
    return { url: `${url}/${path}`, caBundle: Buffer.from(authority.certificate).toString('base64') };
  }

  #webhook(name: string, isMutating: boolean): TestValue {
    const random = this.#random;
    const response = this.#response(isMutating);
    const versions = random.chance(0.03) ? ['v2', 'v1'] : random.chance(0.1) ? ['v1beta1'] : ['v1'];
    return {
      name,
      clientConfig: this.#clientConfig(response),
      rules: random.some(rules, 2),
      sideEffects: random.pick(['None', 'None', 'None', 'NoneOnDryRun', ...(random.chance(0.1) ? ['Some'] : [])]),
      admissionReviewVersions: versions,
      timeoutSeconds: response === 'hang' ? 1 : random.pick([1, 5, 30, ...(random.chance(0.05) ? [0, 31] : [])]),
      ...random.maybe(0.6, () => ({ failurePolicy: random.pick(['Fail', 'Ignore']) })),
      ...random.maybe(0.3, () => ({ matchPolicy: random.pick(['Exact', 'Equivalent']) })),
      namespaceSelector: { ...random.maybe(0.25, () => random.pick(namespaceLabels)), ...outside },
      ...random.maybe(0.25, () => ({ objectSelector: random.pick(selectors) })),
      ...random.maybe(0.3, () => ({
        matchConditions: random.some(['c0', 'c1', 'c2'], 2).map((condition) => ({ name: condition, expression: random.pick(conditions) })),
      })),
      ...(isMutating ? random.maybe(0.4, () => ({ reinvocationPolicy: random.pick(['Never', 'IfNeeded']) })) : {}),
    };
  }

  /** kube-apiserver asks validating webhooks at the same time, and the first that answers wins, so only one has something to say. */
  #response(isMutating: boolean): TestValue {
    const random = this.#random;
    if (isMutating) return random.chance(0.12) ? random.pick(broken) : random.pick([...responses, ...patches, ...patches]);
    if (this.#isSaid) return { allowed: true };
    this.#isSaid = true;
    return random.chance(0.12) ? random.pick(broken) : random.pick(responses);
  }

  /** Waits until the webhooks have come to admission. */
  *#markers(): Iterable<Request> {
    const name = `marker-${this.#seed}`;
    for (const [isMutating, code] of [
      [true, 450],
      [false, 451],
    ] as const) {
      const object = `${name}-${code}`;
      const webhook = {
        name: 'marker.x.io',
        clientConfig: this.#clientConfig({ allowed: false, status: { code, message: 'marker' } }),
        rules: [rules[0]],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        objectSelector: { matchLabels: { marker: object } },
      };
      yield this.#configuration(`z-${object}`, isMutating, [webhook]);
      yield {
        method: 'POST',
        path: '/api/v1/namespaces/default/configmaps?dryRun=All',
        body: { metadata: { name: object, labels: { marker: object } } },
        until: code,
      };
    }
  }
}
