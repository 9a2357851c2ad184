import { describe, expect, test } from '@jest/globals';
import { DefinitionFixture, freshGroup, version } from '../custom-resources/definition-fixture.ts';
import { apply, deploymentOf, jsonPatch, Policies, rule } from './policies.ts';

const suite = DefinitionFixture.forSuite();
const policies = new Policies(() => suite.fixture.client);

/** Returns constraints for one resource in a namespace. */
const about = (namespace: string, resource: object) => ({
  matchConstraints: { resourceRules: [resource], namespaceSelector: { matchLabels: { own: namespace } } },
});

describe('[sig-api-machinery] MutatingAdmissionPolicy', () => {
  test('should mutate a Deployment', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      ...about(namespace, rule('apps', 'deployments')),
      mutations: [apply('Object{ spec: Object.spec{ replicas: object.spec.replicas < 2 ? 2 : object.spec.replicas } }')],
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    expect((await policies.created(path, deploymentOf('one', 1))).spec.replicas).toBe(2);
    const three = await policies.created(path, deploymentOf('three', 3));
    expect(three.spec.replicas).toBe(3);
    const patched = await suite.merge(`${path}/three`, { spec: { replicas: 1 } });
    expect([patched.spec.replicas, patched.metadata.generation]).toEqual([2, 2]);
  });

  test('should mutate a Deployment with annotations', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      ...about(namespace, rule('apps', 'deployments')),
      variables: [{ name: 'key', expression: "'example.com/env'" }],
      mutations: [
        jsonPatch(`(has(object.metadata.annotations) ? [] : [JSONPatch{op: 'add', path: '/metadata/annotations', value: {}}]) +
          [JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey(variables.key), value: namespaceObject.metadata.name}]`),
      ],
    });
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const { metadata } = await policies.created(path, deploymentOf('d', 1));
    expect(metadata.annotations).toEqual({ 'example.com/env': namespace });
    // a policy's additions have no owner
    expect(JSON.stringify(metadata.managedFields)).not.toContain('example.com');
  });
});

describe('a mutating policy', () => {
  test('cannot merge a kind of a subresource that is of another group-version', async () => {
    const namespace = await policies.namespace();
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    await policies.created(path, deploymentOf('d', 1));
    await policies.mutating(namespace, {
      ...about(namespace, rule('apps', 'deployments/scale')),
      mutations: [apply('Object{}')],
    });
    await expect(suite.merge(`${path}/d/scale`, { spec: { replicas: 2 } })).rejects.toThrow(
      'error applying patch: failed to convert patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale',
    );
  });

  test('adds a container with its defaults, and keeps the others', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      ...about(namespace, rule('', 'pods')),
      matchConditions: [{ name: 'new', expression: "!object.spec.containers.exists(one, one.name == 'sidecar')" }],
      mutations: [
        apply(`Object{ spec: Object.spec{ containers: [Object.spec.containers{
          name: 'sidecar', image: 'proxy', ?workingDir: optional.none(),
          ports: [Object.spec.containers.ports{ containerPort: 80 }] }] } }`),
      ],
    });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { spec } = await policies.created(`/api/v1/namespaces/${namespace}/pods`, pod);
    expect(spec.containers).toMatchObject([
      { name: 'c', image: 'i' },
      { name: 'sidecar', image: 'proxy', ports: [{ containerPort: 80, protocol: 'TCP' }], imagePullPolicy: 'Always' },
    ]);
  });

  test('has parameters, for each of which it is asked', async () => {
    const [namespace, other] = [await policies.namespace(), await policies.namespace()];
    for (const name of ['x', 'y']) {
      await policies.createConfigMap(other, { name }, { metadata: { name, labels: { param: 'yes' } } });
    }
    await policies.mutating(
      namespace,
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        mutations: [apply('Object{ data: {params.data.name: params.metadata.namespace} }')],
      },
      { paramRef: { selector: { matchLabels: { param: 'yes' } }, namespace: other, parameterNotFoundAction: 'Deny' } },
    );
    expect((await policies.createConfigMap(namespace, { z: '1' })).json.data).toEqual({ x: other, y: other, z: '1' });
  });

  test('is asked once more after policies have changed the object, if it says so', async () => {
    const namespace = await policies.namespace();
    const count = "string(int(has(object.data.%) ? object.data.% : '0') + 1)";
    const counting = (name: string) => apply(`Object{ data: Object.data{ ${name}: ${count.replaceAll('%', name)} } }`);
    await policies.mutating(namespace, { mutations: [counting('first')], reinvocationPolicy: 'IfNeeded' });
    await policies.mutating(namespace, { mutations: [counting('second')] });
    await policies.mutating(namespace, { mutations: [counting('last')], reinvocationPolicy: 'IfNeeded' });
    expect((await policies.createConfigMap(namespace, { z: '' })).json.data).toEqual({
      first: '2',
      last: '2',
      second: '1',
      z: '',
    });
  });

  test('changes an object at the version that its rule names', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      ...about(namespace, rule('autoscaling', 'horizontalpodautoscalers')),
      mutations: [apply('Object{ spec: Object.spec{ targetCPUUtilizationPercentage: 55 } }')],
    });
    const { spec } = await policies.created(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`, {
      metadata: { name: 'h' },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
    });
    expect(spec.metrics).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 55 } } },
    ]);
  });

  test('changes custom resources, which get their defaults', async () => {
    const namespace = await policies.namespace();
    const group = freshGroup();
    await suite.define({ group, kind: 'Color', versions: [version('v1', { schema: colorSchema })] });
    await policies.mutating(namespace, {
      ...about(namespace, rule(group, 'colors')),
      mutations: [
        apply("Object{ spec: Object.spec{ parts: [Object.spec.parts{ name: 'added' }] } }"),
        jsonPatch(
          "[JSONPatch{ op: 'add', path: '/spec/unknown', value: 1 }, JSONPatch{ op: 'move', from: '/spec/old', path: '/spec/name' }]",
        ),
      ],
    });
    const object = await policies.created(`/apis/${group}/v1/namespaces/${namespace}/colors`, {
      apiVersion: `${group}/v1`,
      kind: 'Color',
      metadata: { name: 'c' },
      spec: { old: 'red', parts: [{ name: 'own', share: 2 }] },
    });
    expect(object.spec).toEqual({
      name: 'red',
      parts: [
        { name: 'own', share: 2 },
        { name: 'added', share: 1 },
      ],
    });
  });

  test('changes a large object on a worker thread', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, { mutations: [apply("Object{ data: Object.data{ more: 'yes' } }")] });
    const { json } = await policies.createConfigMap(namespace, { long: 'x'.repeat(100_000) });
    expect(json.data.more).toBe('yes');
  });

  test('leaves the object as it is if a test in its patch fails', async () => {
    const namespace = await policies.namespace();
    const patch = "[JSONPatch{ op: 'add', path: '/data/b', value: '2' }, JSONPatch{ op: 'test', path: '/data/a', value: 'x' }]";
    await policies.mutating(namespace, { mutations: [jsonPatch(patch)] });
    expect((await policies.createConfigMap(namespace, { a: '1' })).json.data).toEqual({ a: '1' });
    expect((await policies.createConfigMap(namespace, { a: 'x' })).json.data).toEqual({ a: 'x', b: '2' });
  });

  test.each([
    [
      'an expression that fails',
      apply('Object{ data: Object.data{ a: object.no } }'),
      "expression 'Object{ data: Object.data{ a: object.no } }' resulted in error: no such key: no",
    ],
    [
      'a type in the wrong place',
      apply('Object{ data: Object.spec{} }'),
      'type mismatch: unexpected type name "Object.spec", expected "Object.data", which matches field name path from root Object type',
    ],
    [
      'a field that the kind does not have',
      apply('Object{ spec: Object.spec{} }'),
      'error applying patch: failed to convert patch object to typed object: .spec: field not declared in schema',
    ],
    [
      'a value of the wrong type',
      apply('Object{ data: Object.data{ a: 1 } }'),
      'error applying patch: failed to convert patch object to typed object: .data.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
    ['a path that does not exist', jsonPatch("[JSONPatch{ op: 'remove', path: '/data/no' }]"), /^JSON Patch: .*\/data\/no/],
    [
      'a value without JSON',
      jsonPatch("[JSONPatch{ op: 'add', path: '/data', value: quantity('1') }]"),
      /^JSONPath valueExpression evaluated to a type that could not marshal to JSON: /,
    ],
  ])('refuses the write for %s, unless failures are ignored', async (_, mutation, want) => {
    const [strict, lax] = [await policies.namespace(), await policies.namespace()];
    const policy = await policies.mutating(strict, { mutations: [mutation] });
    await policies.mutating(lax, { mutations: [mutation], failurePolicy: 'Ignore' });
    const { status, json } = await policies.createConfigMap(strict, { a: 'b' });
    const prefix = `policy '${policy}' with binding '${policy}' denied request: `;
    expect([status, json.reason, json.details.causes]).toEqual([403, 'Invalid', [{ message: json.message }]]);
    expect(json.message.startsWith(prefix)).toBe(true);
    expect(json.message.slice(prefix.length)).toMatch(want);
    expect((await policies.createConfigMap(lax, { a: 'b' })).json.data).toEqual({ a: 'b' });
  });

  test('must not change atomic lists and maps with an apply configuration', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      ...about(namespace, rule('', 'pods')),
      mutations: [
        apply(`Object{ spec: Object.spec{ nodeSelector: {'a': 'b'}, containers: [Object.spec.containers{ name: 'c', args: ['x'] }] } }`),
      ],
    });
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { json } = await policies.post(`/api/v1/namespaces/${namespace}/pods`, pod);
    expect(json.message).toMatch(
      /error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: \.spec\.nodeSelector, \.spec\.containers\[0\]\.args$/,
    );
  });

  test('must not change what the object is', async () => {
    const namespace = await policies.namespace();
    await policies.mutating(namespace, {
      mutations: [jsonPatch("[JSONPatch{ op: 'replace', path: '/kind', value: 'Secret' }]")],
    });
    const { status, json } = await policies.createConfigMap(namespace);
    expect([status, json.reason]).toEqual([500, 'InternalError']);
  });
});

const colorSchema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          old: { type: 'string' },
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, share: { type: 'integer', default: 1 } },
            },
          },
        },
      },
    },
  },
};
