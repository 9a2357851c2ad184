import { describe, expect, test } from '@jest/globals';
import type { HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';
import { denied, deploymentOf, messageOf, Policies, rule } from './policies.ts';

const suite = TestServer.forSuite();
const policies = new Policies(() => suite.http);

const warnings = ({ headers }: HttpResponse): unknown => headers.warning;

describe('[sig-api-machinery] ValidatingAdmissionPolicy', () => {
  const deployments = (namespace: string) => ({
    resourceRules: [rule('apps', 'deployments')],
    namespaceSelector: { matchLabels: { own: namespace } },
  });

  test('should validate against a Deployment', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      matchConstraints: deployments(namespace),
      validations: [
        {
          expression: 'object.spec.replicas > 1',
          messageExpression: "'wants replicas > 1, got ' + string(object.spec.replicas)",
        },
        {
          expression: 'namespaceObject.metadata.name == object.metadata.namespace',
          message: 'Internal error! Other namespace should not be allowed.',
        },
      ],
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    expect((await policies.post(path, deploymentOf('replicated', 2))).status).toBe(201);
    const { status, json } = await policies.post(path, deploymentOf('single', 1));
    const message = denied(policy, 'wants replicas > 1, got 1');
    expect(status).toBe(422);
    expect(json).toMatchObject({
      reason: 'Invalid',
      message: `deployments.apps "single" is forbidden: ${message}`,
      details: { name: 'single', group: 'apps', kind: 'deployments', causes: [{ message }] },
    });
  });

  test('should allow expressions to refer variables.', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      matchConstraints: deployments(namespace),
      variables: [
        { name: 'replicas', expression: 'object.spec.replicas' },
        { name: 'oddReplicas', expression: 'variables.replicas % 2 == 1' },
      ],
      validations: [{ expression: 'variables.replicas > 1' }, { expression: 'variables.oddReplicas' }],
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    expect((await policies.post(path, deploymentOf('three', 3))).status).toBe(201);
    expect(messageOf(await policies.post(path, deploymentOf('one', 1)))).toBe(denied(policy, 'failed expression: variables.replicas > 1'));
    expect(messageOf(await policies.post(path, deploymentOf('four', 4)))).toBe(denied(policy, 'failed expression: variables.oddReplicas'));
  });
});

describe('a validating policy', () => {
  test.each([
    ['Forbidden', 403],
    ['RequestEntityTooLarge', 413],
    ['Invalid', 422],
  ])('denies with the reason %s and the code %d', async (reason, code) => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      validations: [{ expression: 'false', message: 'no', reason }],
    });
    const { status, json } = await policies.createConfigMap(namespace);
    expect([status, json.reason, json.code]).toEqual([code, reason, code]);
    expect(json.message).toMatch(denied(policy, 'no'));
  });

  test('is effective with its binding at once, and no longer when either is deleted', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, { validations: [{ expression: 'false' }] });
    const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
    expect((await policies.createConfigMap(namespace)).status).toBe(422);
    await suite.http.send('DELETE', `${path}/${policy}`);
    expect((await policies.createConfigMap(namespace)).status).toBe(201);
    await policies.bind(policy, {});
    expect((await policies.createConfigMap(namespace)).status).toBe(422);
    await suite.http.send('DELETE', `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${policy}`);
    expect((await policies.createConfigMap(namespace)).status).toBe(201);
  });

  test('warns, once for each expression that fails', async () => {
    const namespace = await policies.namespace();
    const validations = [
      { expression: 'false', message: 'one' },
      { expression: 'false', message: 'two' },
    ];
    const policy = await policies.validating(namespace, { validations }, { validationActions: ['Warn'] });
    const response = await policies.createConfigMap(namespace);
    const text = (message: string): string =>
      `299 - "Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${policy}': ${message}"`;
    expect(response.status).toBe(201);
    expect(warnings(response)).toBe(`${text('one')}, ${text('two')}`);
  });

  test.each([
    ['by its expression, if it has no better one', {}, 'failed expression: 1 == 2'],
    ['by its message', { message: ' said ' }, 'said'],
    ['by what messageExpression computes', { message: 'said', messageExpression: "' got ' + object.metadata.namespace" }, /^got ns-/],
    ['by its message, if messageExpression fails', { message: 'said', messageExpression: 'string(object.no)' }, 'said'],
    ['by its message, if messageExpression makes several lines', { message: 'said', messageExpression: "'a\\nb'" }, 'said'],
    [
      'by its message, if messageExpression makes more than 5 KiB',
      { message: 'said', messageExpression: "'x'.replace('x', object.data.long)" },
      'said',
    ],
  ])('explains itself %s', async (_, more, want) => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, { validations: [{ expression: '1 == 2', ...more }] });
    const message = messageOf(await policies.createConfigMap(namespace, { long: 'x'.repeat(6000) }));
    expect(message.replace(denied(policy, ''), '')).toMatch(want);
  });

  test('that fails to be evaluated follows its failurePolicy', async () => {
    const [strict, lax] = [await policies.namespace(), await policies.namespace()];
    const validations = [{ expression: "object.data.no == 'x'" }];
    const policy = await policies.validating(strict, { validations });
    await policies.validating(lax, { validations, failurePolicy: 'Ignore' });
    expect(messageOf(await policies.createConfigMap(strict, { a: 'b' }))).toBe(
      denied(policy, "expression 'object.data.no == 'x'' resulted in error: no such key: no"),
    );
    expect((await policies.createConfigMap(lax, { a: 'b' })).status).toBe(201);
  });

  test('that costs too much fails, whatever it would have said', async () => {
    const namespace = await policies.namespace();
    const list = `[${Array.from({ length: 50 }, (_, at) => at)}]`;
    const expression = `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, a + b + c + d >= 0))))`;
    const policy = await policies.validating(namespace, { validations: [{ expression }] });
    const { status, json } = await policies.createConfigMap(namespace);
    expect(status).toBe(422);
    expect(json.message).toContain(
      denied(policy, `expression '${expression}' resulted in error: operation cancelled: actual cost limit exceeded`),
    );
  });

  test('that takes long is evaluated on a worker thread, for deletions and the others', async () => {
    const namespace = await policies.namespace();
    const list = `[${Array.from({ length: 60 }, (_, at) => at)}]`;
    const expression = `${list}.all(a, ${list}.all(b, ${list}.exists(c, a + b + c >= 0)))`;
    await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('', 'configmaps', { operations: ['*'] })],
        namespaceSelector: { matchLabels: { own: namespace } },
      },
      validations: Array.from({ length: 9 }, () => ({ expression })),
    });
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const { metadata } = (await policies.createConfigMap(namespace)).json;
    expect((await suite.http.send('DELETE', `${path}/${metadata.name}`)).status).toBe(200);
    expect((await policies.createConfigMap(namespace)).status).toBe(201);
    expect((await suite.http.send('DELETE', path)).status).toBe(200);
  });

  test('whose expressions together cost too much fails', async () => {
    const namespace = await policies.namespace();
    // each check costs 350,000
    const validations = Array.from({ length: 30 }, () => ({
      expression: "authorizer.requestResource.check('get').allowed()",
    }));
    const policy = await policies.validating(namespace, { validations });
    expect(messageOf(await policies.createConfigMap(namespace))).toBe(
      denied(policy, 'validation failed due to running out of cost budget, no further validation rules will be run'),
    );
  });

  test('sees who asks, for what, and the object before and after', async () => {
    const namespace = await policies.namespace();
    await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('', 'configmaps', { operations: ['*'] })],
        namespaceSelector: { matchLabels: { own: namespace } },
      },
      validations: [
        { expression: "request.userInfo.groups.exists(group, group == 'system:masters')" },
        {
          expression:
            "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap' && request.namespace == namespaceObject.metadata.name",
        },
        { expression: "request.operation == 'CREATE' ? oldObject == null && object != null : true" },
        {
          expression:
            "request.operation == 'DELETE' ? oldObject != null && object == null && request.options.kind == 'DeleteOptions' : true",
        },
        {
          expression: "request.operation == 'UPDATE' ? oldObject.data.version < object.data.version : true",
          message: 'versions grow',
        },
      ],
    });
    const { json, status } = await policies.createConfigMap(namespace, { version: '1' });
    expect([status, json.message]).toEqual([201, undefined]);
    const path = `/api/v1/namespaces/${namespace}/configmaps/${json.metadata.name}`;
    const patch = (version: string): Promise<HttpResponse> =>
      suite.http.send('PATCH', path, JSON.stringify({ data: { version } }), 'application/merge-patch+json');
    expect((await patch('2')).status).toBe(200);
    expect((await patch('1')).json.message).toContain('versions grow');
    const removed = await suite.http.send('DELETE', path);
    expect([removed.status, removed.json.message]).toEqual([200, undefined]);
  });

  test('refuses a large object, too, which a worker thread writes', async () => {
    const namespace = await policies.namespace();
    const params = await policies.created(`/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: 'limit' },
      data: { max: '3' },
    });
    const policy = await policies.validating(
      namespace,
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          {
            expression: 'object.data.size() < int(params.data.max)',
            messageExpression: "'fewer than ' + params.data.max + ' in ' + namespaceObject.metadata.name",
          },
        ],
      },
      { paramRef: { name: params.metadata.name, parameterNotFoundAction: 'Deny' } },
    );
    const long = 'x'.repeat(100_000);
    expect((await policies.createConfigMap(namespace, { a: long, b: '' })).status).toBe(201);
    expect(messageOf(await policies.createConfigMap(namespace, { a: long, b: '', c: '' }))).toBe(
      denied(policy, `fewer than 3 in ${namespace}`),
    );
  });
});

describe('what a policy is asked about', () => {
  const selecting = (constraints: object) => (namespace: string) => ({
    matchConstraints: {
      resourceRules: [rule('', 'configmaps')],
      namespaceSelector: { matchLabels: { own: namespace } },
      ...constraints,
    },
    validations: [{ expression: 'false' }],
  });

  test.each([
    ['a rule by name', selecting({ resourceRules: [rule('', 'configmaps', { resourceNames: ['guarded'] })] })],
    ['rules that exclude others', selecting({ excludeResourceRules: [rule('', 'configmaps', { resourceNames: ['free'] })] })],
    ['an object selector', selecting({ objectSelector: { matchLabels: { guarded: 'yes' } } })],
    [
      'match conditions',
      (namespace: string) => ({
        ...selecting({})(namespace),
        matchConditions: [{ name: 'guarded', expression: "object.metadata.name == 'guarded'" }],
      }),
    ],
  ])('is chosen by %s', async (_, specOf) => {
    const namespace = await policies.namespace();
    await policies.validating(namespace, specOf(namespace));
    const create = async (name: string, labels: object) =>
      (await policies.createConfigMap(namespace, {}, { metadata: { name, labels } })).status;
    expect(await create('guarded', { guarded: 'yes' })).toBe(422);
    expect(await create('free', {})).toBe(201);
  });

  test('is chosen by the binding, too', async () => {
    const namespace = await policies.namespace();
    const matchResources = { objectSelector: { matchLabels: { guarded: 'yes' } } };
    await policies.validating(namespace, { validations: [{ expression: 'false' }] }, { matchResources });
    expect((await policies.createConfigMap(namespace)).status).toBe(201);
    expect((await policies.createConfigMap(namespace, {}, { metadata: { name: 'x', labels: { guarded: 'yes' } } })).status).toBe(422);
  });

  test('is converted to the version that a rule names', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('autoscaling', 'horizontalpodautoscalers', { apiVersions: ['v1'] })],
        namespaceSelector: { matchLabels: { own: namespace } },
      },
      validations: [
        {
          expression: "object.apiVersion == 'autoscaling/v1' && request.kind.version == 'v1' && request.requestKind.version == 'v2'",
          message: 'not converted',
        },
        { expression: 'object.spec.targetCPUUtilizationPercentage < 70', message: 'too high' },
      ],
    });
    const { json } = await policies.post(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`, {
      metadata: { name: 'h' },
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    });
    expect(json.message).toContain(denied(policy, 'too high'));
  });

  test('never is a policy or a binding', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('admissionregistration.k8s.io', '*', { operations: ['*'] }), rule('authorization.k8s.io', '*')],
      },
      validations: [{ expression: 'false' }],
    });
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    expect((await policies.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)).status).toBe(201);
    const path = `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${policy}`;
    expect((await suite.http.send('DELETE', path)).status).toBe(200);
  });

  test('is a connection and a subresource, if a rule says so', async () => {
    const namespace = await policies.namespace();
    const policy = await policies.validating(namespace, {
      matchConstraints: {
        resourceRules: [rule('', 'pods/exec', { operations: ['CONNECT'] }), rule('apps', 'deployments/scale')],
        namespaceSelector: { matchLabels: { own: namespace } },
      },
      validations: [
        {
          expression: "request.subResource == 'exec' ? object.container != 'c' : object.spec.replicas < 3",
          messageExpression: "object.kind + ' ' + request.name",
        },
      ],
    });
    await policies.created(`/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await policies.created(path, deploymentOf('d', 5));
    const exec = await policies.post(`/api/v1/namespaces/${namespace}/pods/p/exec?container=c&command=x`, {});
    expect(messageOf(exec)).toBe(denied(policy, 'PodExecOptions p'));
    const scale = await suite.http.send('PATCH', `${path}/d/scale`, '{"spec":{"replicas":3}}', 'application/merge-patch+json');
    expect(messageOf(scale)).toBe(denied(policy, 'Scale d'));
  });
});
