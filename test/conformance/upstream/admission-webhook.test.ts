import { describe, expect, test } from '@jest/globals';
import { allow, deny, type Hook, patching, rule } from '../../support/admission-webhook.ts';
import { configMap, configMaps, WebhookFixture } from '../admission/webhooks/webhook-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
type Any = any;

const fixture = WebhookFixture.forSuite();
const merge = 'application/merge-patch+json';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Acts like upstream's test image: denies an unwanted value. */
const denyUnwanted: Hook = ({ object }) =>
  object?.data?.['webhook-e2e-test'] === 'webhook-disallow'
    ? { allowed: false, status: { message: 'the configmap contains unwanted key and value' } }
    : { allowed: true };

/** The second stage requires the first one. */
const firstStage: Hook = ({ object }) =>
  object.data?.['mutation-start'] === 'yes'
    ? { allowed: true, patch: [{ op: 'add', path: '/data/mutation-stage-1', value: 'yes' }] }
    : { allowed: true };
const secondStage: Hook = ({ object }) =>
  object.data?.['mutation-stage-1'] === 'yes'
    ? { allowed: true, patch: [{ op: 'add', path: '/data/mutation-stage-2', value: 'yes' }] }
    : { allowed: true };

const stages = { 'mutation-start': 'yes', 'mutation-stage-1': 'yes', 'mutation-stage-2': 'yes' };

// titles of tests by kind
const changes = [
  { kind: 'Validating', title: 'patching/updating a validating webhook should work' },
  { kind: 'Mutating', title: 'patching/updating a mutating webhook should work' },
] as const;
const lists = [
  { kind: 'Validating', title: 'listing validating webhooks should work' },
  { kind: 'Mutating', title: 'listing mutating webhooks should work' },
] as const;
const rejections = [
  { kind: 'Validating', title: 'should reject validating webhook configurations with invalid match conditions' },
  { kind: 'Mutating', title: 'should reject mutating webhook configurations with invalid match conditions' },
] as const;

let crds = 0;

/** Returns a definition with versions v1 and v2, and the path of its objects in a namespace. */
async function definition(
  namespace: string,
  properties: Any = {},
  fields: Any = {},
): Promise<{ crd: Any; group: string; path: (version?: string, name?: string) => string }> {
  const group = `webhook${crds++}.example.com`;
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties, ...fields },
  };
  const version = (name: string, storage: boolean): Any => ({ name, served: true, storage, schema });
  const names = { plural: 'testers', singular: 'tester', kind: 'Tester', listKind: 'TesterList' };
  const crd = await fixture.create(definitions, {
    metadata: { name: `testers.${group}` },
    spec: { group, names, scope: 'Namespaced', versions: [version('v1', true), version('v2', false)] },
  });
  await served(`/apis/${group}/v2`);
  const path = (v = 'v1', name = ''): string => `/apis/${group}/${v}/namespaces/${namespace}/testers${name && `/${name}`}`;
  return { crd, group, path };
}

async function served(path: string): Promise<void> {
  while ((await fixture.suite.http.get(path)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
}

const custom = (group: string, data: Any, version = 'v1'): Any => ({
  kind: 'Tester',
  apiVersion: `${group}/${version}`,
  metadata: { name: 'one' },
  data,
});

const pod = (name: string): Any => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [{ name: 'example', image: 'i' }] },
});

describe('AdmissionWebhook', () => {
  test('should be able to deny pod and configmap creation', async () => {
    const namespace = await fixture.namespace();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const podHook: Hook = async ({ object }) => {
      if (object.metadata.name === 'hangs') return { sent: 'hang' };
      const message = 'the pod contains unwanted container name; the pod contains unwanted label';
      return object.metadata.name === 'disallowed' ? { allowed: false, status: { message } } : { allowed: true };
    };
    const rules = [rule('pods')];
    await fixture.configure('Validating', 'deny-pods', { rules, hook: podHook, timeoutSeconds: 1 }, namespace);
    await fixture.configure(
      'Validating',
      'deny-configmaps',
      { rules: [rule('configmaps', 'CREATE UPDATE')], hook: denyUnwanted },
      namespace,
    );
    const refused = await fixture.send('POST', pods, pod('disallowed'));
    expect(refused.json.message).toContain('the pod contains unwanted container name');
    expect(refused.json.message).toContain('the pod contains unwanted label');
    const hanging = await fixture.send('POST', pods, pod('hangs'));
    expect(hanging.json.message).toMatch(/webhook.*deadline/);
    expect((await fixture.send('GET', `${pods}/hangs`)).status).toBe(404);
    const unwanted = { 'webhook-e2e-test': 'webhook-disallow' };
    const words = 'the configmap contains unwanted key and value';
    const created = await fixture.send('POST', configMaps(namespace), configMap('no', { data: unwanted }));
    expect(created.json.message).toContain(words);
    const data = { admit: 'this' };
    await fixture.create(configMaps(namespace), configMap('allowed', { data }));
    const at = configMaps(namespace, 'allowed');
    expect((await fixture.send('PUT', at, configMap('allowed', { data: unwanted }))).json.message).toContain(words);
    expect((await fixture.send('PATCH', at, { data: unwanted }, merge)).json.message).toContain(words);
    const exempt = await fixture.namespace({ 'skip-webhook-admission': 'yes' });
    await fixture.create(configMaps(exempt), configMap('no', { data: unwanted }));
  });

  test('should be able to deny attaching pod', async () => {
    const namespace = await fixture.namespace();
    const hook = deny('attaching to pod is not allowed');
    const rules = [rule('pods/attach', 'CONNECT')];
    await fixture.configure('Validating', 'deny-attach', { rules, hook }, namespace);
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    await fixture.create(pods, pod('to-be-attached-pod'));
    const { json } = await fixture.send('POST', `${pods}/to-be-attached-pod/attach?stdin=1&container=example`);
    expect(json.message).toContain('attaching to pod is not allowed');
    expect(fixture.hooks.take('/deny-attach')).toMatchObject([
      {
        operation: 'CONNECT',
        subResource: 'attach',
        name: 'to-be-attached-pod',
        kind: { kind: 'PodAttachOptions' },
        object: { kind: 'PodAttachOptions', stdin: true },
      },
    ]);
  });

  test('should be able to deny custom resource creation, update and deletion', async () => {
    const namespace = await fixture.namespace();
    const { group, path } = await definition(namespace);
    const hook: Hook = ({ operation, object, oldObject }) =>
      (object ?? oldObject).data?.['webhook-e2e-test'] === `webhook-disallow-${operation}`
        ? { allowed: false, status: { message: 'the custom resource contains unwanted data' } }
        : { allowed: true };
    const rules = [rule('testers', 'CREATE UPDATE DELETE', `${group}/v1`)];
    await fixture.configure('Validating', 'deny-custom', { rules, hook }, namespace);
    const words = 'the custom resource contains unwanted data';
    const value = (operation: string): Any => ({ 'webhook-e2e-test': `webhook-disallow-${operation}` });
    const created = await fixture.send('POST', path(), custom(group, value('CREATE')));
    expect(created.json.message).toContain(words);
    await fixture.create(path(), custom(group, value('DELETE')));
    const updated = await fixture.send('PATCH', path('v1', 'one'), { data: value('UPDATE') }, merge);
    expect(updated.json.message).toContain(words);
    expect((await fixture.send('DELETE', path('v1', 'one'))).json.message).toContain(words);
    await fixture.send('PATCH', path('v1', 'one'), { data: { 'webhook-e2e-test': 'allowed' } }, merge);
    expect((await fixture.send('DELETE', path('v1', 'one'))).status).toBe(200);
  });

  test('should unconditionally reject operations on fail closed webhook', async () => {
    const namespace = await fixture.namespace();
    const { url } = fixture.hooks.on('/fail-closed', allow);
    const fields = { rules: [rule('configmaps')], clientConfig: { url }, failurePolicy: 'Fail' };
    await fixture.configure('Validating', 'fail-closed', fields, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('foo'));
    expect([json.code, json.reason]).toEqual([500, 'InternalError']);
    expect(json.message).toMatch(/x509: certificate signed by unknown authority$/);
    expect(fixture.hooks.take('/fail-closed')).toEqual([]);
  });

  test('should mutate configmap', async () => {
    const namespace = await fixture.namespace();
    const rules = [rule('configmaps')];
    const webhooks = [
      { rules, hook: firstStage },
      { rules, hook: secondStage },
    ];
    const configuration = fixture.configuration('Mutating', 'mutate-configmap', webhooks, namespace);
    await fixture.create(fixture.path('Mutating'), configuration);
    const data = { 'mutation-start': 'yes' };
    const made = await fixture.create(configMaps(namespace), configMap('to-be-mutated', { data }));
    expect(made.data).toEqual(stages);
  });

  test('should mutate pod and apply defaults after mutation', async () => {
    const namespace = await fixture.namespace();
    const initContainer = { image: 'webhook-added-image', name: 'webhook-added-init-container', resources: {} };
    const hook = patching({ op: 'add', path: '/spec/initContainers', value: [initContainer] });
    await fixture.configure('Mutating', 'mutate-pod', { rules: [rule('pods')], hook }, namespace);
    const { spec } = await fixture.create(`/api/v1/namespaces/${namespace}/pods`, pod('webhook-to-be-mutated'));
    expect(spec.initContainers).toMatchObject([
      { name: 'webhook-added-init-container', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' },
    ]);
  });

  test('should not be able to mutate or prevent deletion of webhook configuration objects', async () => {
    const rules = [
      rule(['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'], 'CREATE UPDATE DELETE', 'admissionregistration.k8s.io/*'),
    ];
    const relabel = patching({ op: 'add', path: '/metadata/labels', value: { mutated: 'yes' } });
    await fixture.configure('Validating', 'deny-configurations', { rules, hook: deny('no') });
    await fixture.configure('Mutating', 'mutate-configurations', { rules, hook: relabel });
    const dummy = { rules: [rule('nothing')], hook: allow, failurePolicy: 'Ignore' };
    for (const kind of ['Validating', 'Mutating'] as const) {
      const made = await fixture.configure(kind, 'dummy', dummy);
      expect(made.metadata.labels).toBeUndefined();
      expect((await fixture.send('DELETE', fixture.path(kind, 'dummy'))).status).toBe(200);
    }
    expect((await fixture.send('DELETE', fixture.path('Validating', 'deny-configurations'))).status).toBe(200);
    expect((await fixture.send('DELETE', fixture.path('Mutating', 'mutate-configurations'))).status).toBe(200);
  });

  test('should mutate custom resource', async () => {
    const namespace = await fixture.namespace();
    const { group, path } = await definition(namespace);
    await mutateCustom('mutate-custom', group, namespace);
    const made = await fixture.create(path(), custom(group, { 'mutation-start': 'yes' }));
    expect(made.data).toEqual(stages);
  });

  test('should mutate custom resource with pruning', async () => {
    const namespace = await fixture.namespace();
    const text = { type: 'string' };
    const properties = { data: { type: 'object', properties: { 'mutation-start': text, 'mutation-stage-1': text } } };
    const { group, path } = await definition(namespace, properties, {
      'x-kubernetes-preserve-unknown-fields': undefined,
    });
    await mutateCustom('mutate-pruned', group, namespace);
    const made = await fixture.create(path(), custom(group, { 'mutation-start': 'yes' }));
    expect(made.data).toEqual({ 'mutation-start': 'yes', 'mutation-stage-1': 'yes' });
  });

  test('should mutate custom resource with different stored version', async () => {
    const namespace = await fixture.namespace();
    const { crd, group, path } = await definition(namespace);
    const rules = [rule('testers', 'CREATE UPDATE', `${group}/*`)];
    await fixture.configure('Mutating', 'mutate-versions', { rules, hook: firstStage }, namespace);
    const made = await fixture.create(path('v1'), custom(group, { 'mutation-start': 'yes' }));
    expect(made.data).toEqual({ 'mutation-start': 'yes', 'mutation-stage-1': 'yes' });
    const versions = crd.spec.versions.map((one: Any) => ({ ...one, storage: one.name === 'v2' }));
    const stored = await fixture.send('PATCH', `${definitions}/${crd.metadata.name}`, { spec: { versions } }, merge);
    expect(stored.status).toBe(200);
    const patched = await fixture.send('PATCH', path('v1', 'one'), { dummy: 'test' }, merge);
    expect(patched.json).toMatchObject({ dummy: 'test', data: { 'mutation-stage-1': 'yes' } });
    expect(fixture.hooks.take('/mutate-versions')).toHaveLength(2);
  });

  test('should deny crd creation', async () => {
    const hook: Hook = ({ object }) =>
      object.metadata.labels?.['webhook-e2e-test'] === 'webhook-disallow'
        ? { allowed: false, status: { message: 'the crd contains unwanted label' } }
        : { allowed: true };
    const rules = [rule('customresourcedefinitions', 'CREATE', 'apiextensions.k8s.io/*')];
    await fixture.configure('Validating', 'deny-crd', { rules, hook });
    const group = 'denied.example.com';
    const schema = { openAPIV3Schema: { type: 'object' } };
    const crd = {
      metadata: { name: `denieds.${group}`, labels: { 'webhook-e2e-test': 'webhook-disallow' } },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural: 'denieds', kind: 'Denied' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    expect((await fixture.send('POST', definitions, crd)).json.message).toContain('the crd contains unwanted label');
    await fixture.send('DELETE', fixture.path('Validating', 'deny-crd'));
  });

  test('should honor timeout', async () => {
    const namespace = await fixture.namespace();
    const attempt = async (name: string, fields: Any): Promise<Any> => {
      const all = { rules: [rule('configmaps')], timeoutSeconds: undefined, ...fields };
      await fixture.configure('Validating', name, all, namespace);
      const { json } = await fixture.send('POST', configMaps(namespace), configMap(name));
      await fixture.send('DELETE', fixture.path('Validating', name));
      return json;
    };
    const hook: Hook = () => ({ sent: 'hang' });
    const late = await attempt('late', { hook, timeoutSeconds: 1, failurePolicy: 'Fail' });
    expect(late.message).toMatch(/context deadline exceeded/);
    expect((await attempt('ignored', { hook, timeoutSeconds: 1, failurePolicy: 'Ignore' })).kind).toBe('ConfigMap');
    const slow: Hook = () => new Promise((resolve) => setTimeout(resolve, 1_100, { allowed: true }));
    expect((await attempt('patient', { hook: slow, failurePolicy: 'Fail' })).kind).toBe('ConfigMap');
    expect(fixture.hooks.server.requests.at(-1)?.url).toBe('/patient?timeout=10s');
  });

  const rules = [rule('configmaps', 'CREATE')];
  const unwanted = configMap('unwanted', { data: { 'webhook-e2e-test': 'webhook-disallow', 'mutation-start': 'yes' } });
  const hooks = { Validating: denyUnwanted, Mutating: firstStage } as const;

  /** Reports whether webhooks act on a new object. */
  async function areEffective(namespace: string): Promise<boolean> {
    const { status, json } = await fixture.send('POST', configMaps(namespace), unwanted);
    await fixture.send('DELETE', configMaps(namespace, 'unwanted'));
    return status !== 201 || json.data['mutation-stage-1'] === 'yes';
  }

  test.each(changes)('$title', async ({ kind }) => {
    const namespace = await fixture.namespace();
    const name = `changes-${kind.toLowerCase()}`;
    const made = await fixture.configure(kind, name, { rules, hook: hooks[kind] }, namespace);
    expect(await areEffective(namespace)).toBe(true);
    const withRules = (operation: string): Any => ({
      ...made,
      webhooks: [{ ...made.webhooks[0], rules: [rule('configmaps', operation)] }],
    });
    expect((await fixture.send('PUT', fixture.path(kind, name), withRules('UPDATE'))).status).toBe(200);
    expect(await areEffective(namespace)).toBe(false);
    const patch = { webhooks: withRules('CREATE').webhooks };
    expect((await fixture.send('PATCH', fixture.path(kind, name), patch, merge)).status).toBe(200);
    expect(await areEffective(namespace)).toBe(true);
  });

  test.each(lists)('$title', async ({ kind }) => {
    const namespace = await fixture.namespace();
    const labels = { 'e2e-list-test-uuid': `list-${kind.toLowerCase()}` };
    for (let n = 0; n < 10; n++) {
      const name = `list-${kind.toLowerCase()}-${n}`;
      const body = fixture.configuration(kind, name, [{ rules, hook: hooks[kind] }], namespace);
      await fixture.create(fixture.path(kind), { ...body, metadata: { name, labels } });
    }
    const selector = `?labelSelector=e2e-list-test-uuid=${labels['e2e-list-test-uuid']}`;
    expect((await fixture.suite.http.get(fixture.path(kind) + selector)).json.items).toHaveLength(10);
    expect(await areEffective(namespace)).toBe(true);
    expect((await fixture.send('DELETE', fixture.path(kind) + selector)).status).toBe(200);
    expect(await areEffective(namespace)).toBe(false);
  });

  test.each(rejections)('$title', async ({ kind }) => {
    const matchConditions = [{ name: 'test', expression: '... [] bad expression' }];
    const body = fixture.configuration(kind, 'bad', [{ rules, hook: allow, matchConditions }]);
    const { status, json } = await fixture.send('POST', fixture.path(kind), body);
    expect([status, json.message]).toEqual([422, expect.stringContaining('compilation failed')]);
  });

  test("should mutate everything except 'skip-me' configmaps", async () => {
    const namespace = await fixture.namespace();
    const matchConditions = [{ name: 'skip-me', expression: "object.metadata.name != 'skip-me'" }];
    const fields = { rules: [rule('configmaps')], hook: firstStage, matchConditions };
    await fixture.configure('Mutating', 'not-skipped', fields, namespace);
    const data = { 'mutation-start': 'yes' };
    const made = await fixture.create(configMaps(namespace), configMap('mutated', { data }));
    expect(made.data).toEqual({ ...data, 'mutation-stage-1': 'yes' });
    expect((await fixture.create(configMaps(namespace), configMap('skip-me', { data }))).data).toEqual(data);
  });
});

async function mutateCustom(name: string, group: string, namespace: string): Promise<void> {
  const rules = [rule('testers', 'CREATE UPDATE', `${group}/v1`)];
  const webhooks = [
    { rules, hook: firstStage },
    { rules, hook: secondStage },
  ];
  await fixture.create(fixture.path('Mutating'), fixture.configuration('Mutating', name, webhooks, namespace));
}
