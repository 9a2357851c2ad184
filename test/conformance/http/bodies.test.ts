import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture } from '../../support/write-fixture.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const gadgets = '/apis/bodies.example.io/v1/gadgets';
const parse = "couldn't get version/kind; json parse error: ";
const head = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const unrecognized = 'the object provided is unrecognized (must be of type ConfigMap): ';

describe('bodies of another kind than that of the path', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await fixture.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.bodies.example.io' },
      spec: {
        group: 'bodies.example.io',
        scope: 'Cluster',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    await fixture.served(gadgets);
  });
  afterAll(() => fixture.close());

  const post = async (path: string, body: string, type = 'application/json') => {
    const { status, json } = await fixture.http.send('POST', path, body, type);
    return [status, json.reason, json.message];
  };

  test.each([
    ['', `${unrecognized}${parse}unexpected end of JSON input (<empty>)`],
    ['{"kind":', `${unrecognized}${parse}unexpected end of JSON input ({"kind":)`],
    ['[1]', `${unrecognized}${parse}json: cannot unmarshal array into Go value of type ${head} (5b315d)`],
    ['true', `${unrecognized}${parse}json: cannot unmarshal bool into Go value of type ${head} (74727565)`],
    [
      '{"kind":5,"metadata":{"name":"is long"}}',
      `${unrecognized}${parse}json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5,"metadata":{"name":" ...)`,
    ],
    ['{"apiVersion":"a/b/c"}', `${unrecognized}unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})`],
    [
      '{"metadata":5}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta',
    ],
    [
      '{"kind":"Secret","apiVersion":"v1"}',
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"kind":"DeploymentList","apiVersion":"apps/v1"}',
      'DeploymentList in version "v1" cannot be handled as a ConfigMap: converting (v1.DeploymentList) to (core.ConfigMap): unknown conversion',
    ],
    [
      '{"kind":"Nonsense"}',
      'Nonsense in version "v1" cannot be handled as a ConfigMap: no kind "Nonsense" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      '{"kind":"ConfigMap","apiVersion":"apps/v1"}',
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
  ])('%s', async (body, message) => {
    expect(await post(maps, body)).toEqual([400, 'BadRequest', message]);
  });

  test('YAML that cannot be parsed is shown in hexadecimal', async () => {
    const [status, , message] = await post(maps, 'a: [', 'application/yaml');
    expect(status).toBe(400);
    expect(message).toMatch(/^the object provided is unrecognized \(must be of type ConfigMap\): yaml: .* \(613a205b\)$/);
  });

  test('another version of the kind is rejected as a mismatch', async () => {
    const body = '{"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1"}';
    expect(await post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', body)).toEqual([
      400,
      'BadRequest',
      'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    ]);
  });

  test('null is the same as {}', async () => {
    for (const body of ['null', '{}']) {
      expect(await post(maps, body)).toEqual([
        422,
        'Invalid',
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      ]);
    }
  });

  test('custom resources need apiVersion and kind', async () => {
    const nameless = '{"metadata":{"name":"a"}}';
    expect(await post(gadgets, nameless)).toEqual([
      400,
      'BadRequest',
      `the object provided is unrecognized (must be of type Gadget): Object 'Kind' is missing in '${nameless}' (${nameless})`,
    ]);
    expect(await post(gadgets, '{"kind":"Gadget","metadata":{"name":"a"}}')).toEqual([
      400,
      'BadRequest',
      'the API version in the data () does not match the expected API version (bodies.example.io/v1)',
    ]);
    expect(await post(gadgets, '{"kind":"Other","apiVersion":"bodies.example.io/v1","metadata":{"name":"a"}}')).toEqual([
      422,
      'Invalid',
      'Other.bodies.example.io "a" is invalid: kind: Invalid value: "Other": must be Gadget',
    ]);
  });
});

describe('required fields', () => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  test.each([
    [
      'the path type of an ingress',
      '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
      {
        spec: {
          rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 'x', port: { number: 1 } } } }] } }],
        },
      },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    [
      'the side effects of a webhook',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      { webhooks: [{ name: 'a.b.c', clientConfig: { url: 'https://a.b/c' }, admissionReviewVersions: ['v1'] }] },
      'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
    ],
  ])('%s', async (_what, path, object, message) => {
    const { status, json } = await fixture.create(path, { metadata: { name: 'x' }, ...object });
    expect([status, json.message]).toEqual([422, expect.stringContaining(`is invalid: ${message}`)]);
  });
});
