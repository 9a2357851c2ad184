import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WriteFixture, warningsOf } from '../../support/write-fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const json = (name: string) => `{
  "apiVersion": "apps/v1",
  "kind": "Deployment",
  "metadata": { "name": "${name}", "unknownMeta": "foo", "labels": { "app": "nginx" } },
  "spec": {
    "unknown1": "val1",
    "unknownDupe": "valDupe",
    "unknownDupe": "valDupe2",
    "paused": true,
    "paused": false,
    "selector": { "matchLabels": { "app": "nginx" } },
    "template": {
      "metadata": { "labels": { "app": "nginx" } },
      "spec": {
        "containers": [{
          "name": "nginx", "image": "nginx:latest",
          "unknownNested": "val1",
          "imagePullPolicy": "Always",
          "imagePullPolicy": "Never"
        }]
      }
    }
  }
}`;

const yaml = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  unknownMeta: foo
spec:
  unknown1: val1
  paused: true
  paused: false
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec:
      containers:
      - name: nginx
        image: nginx:latest
        unknownNested: val1
        imagePullPolicy: Always
        imagePullPolicy: Never
`;

const repeatedInJson = ['duplicate field "spec.paused"', 'duplicate field "spec.template.spec.containers[0].imagePullPolicy"'];
const repeatedInYaml = ['line 9: key "paused" already set in map', 'line 19: key "imagePullPolicy" already set in map'];
const unknown = [
  'unknown field "metadata.unknownMeta"',
  'unknown field "spec.unknown1"',
  'unknown field "spec.template.spec.containers[0].unknownNested"',
];
const unknownInJson = [...unknown, 'unknown field "spec.unknownDupe"'];

describe('FieldValidation should detect unknown and duplicate fields of a typed object', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await WriteFixture.open();
  });
  afterAll(() => fixture.close());

  const cases: [string, (name: string) => string, string, string[]][] = [
    ['JSON', json, 'application/json', [...repeatedInJson, ...unknownInJson]],
    ['YAML', yaml, 'application/yaml', [...repeatedInYaml, ...unknown]],
  ];

  describe.each(cases)('in %s', (form, body, type, problems) => {
    const send = (method: string, path: string, name: string) => fixture.http.send(method, path, body(name), type);

    test('warns of them by default', async () => {
      for (const query of ['fieldValidation=Warn', '']) {
        const made = await send('POST', `${deployments}?dryRun=All&${query}`, 'warned');
        expect(made.status).toBe(201);
        expect(warningsOf(made).sort()).toEqual([...problems].sort());
        expect(made.json.spec.paused).toBeUndefined();
        expect(made.json.spec.template.spec.containers[0].imagePullPolicy).toBe('Never');
      }
    });

    test('rejects the object and lists them all', async () => {
      const rejected = await send('POST', `${deployments}?fieldValidation=Strict`, 'strict');
      expect([rejected.status, rejected.json.reason]).toEqual([400, 'BadRequest']);
      expect(rejected.json.message).toMatch(/^Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: /);
      for (const problem of problems) expect(rejected.json.message).toContain(problem);
      expect((await fixture.get(`${deployments}/strict`)).status).toBe(404);
    });

    test('ignores them on request', async () => {
      const ignored = await send('POST', `${deployments}?fieldValidation=Ignore&dryRun=All`, 'ignored');
      expect([ignored.status, warningsOf(ignored)]).toEqual([201, []]);
    });

    test('detects them in updates, too', async () => {
      const name = `updated-${form.toLowerCase()}`;
      await send('POST', `${deployments}?fieldValidation=Ignore`, name);
      const rejected = await send('PUT', `${deployments}/${name}?fieldValidation=Strict`, name);
      expect([rejected.status, rejected.json.message]).toEqual([400, expect.stringContaining('strict decoding error')]);
      const warned = await send('PUT', `${deployments}/${name}`, name);
      expect([warned.status, warningsOf(warned).sort()]).toEqual([200, [...problems].sort()]);
    });
  });

  test.each([
    ['"unknownField":1,"replicas":1,"replicas":2', ['unknown field "spec.unknownField"', 'duplicate field "spec.replicas"']],
    ['"replicas":1,"replicas":2,"unknownField":1', ['duplicate field "spec.replicas"', 'unknown field "spec.unknownField"']],
    ['"nope":1,"nope":2', ['unknown field "spec.nope"']],
    [
      '"nope":{"a":1,"a":2},"template":{"x":1},"paused":true,"paused":true',
      ['unknown field "spec.nope"', 'unknown field "spec.template.x"', 'duplicate field "spec.paused"'],
    ],
    [
      '"nopes":1,"nope":1,"nope":2,"paused":true,"paused":true',
      ['unknown field "spec.nopes"', 'unknown field "spec.nope"', 'duplicate field "spec.paused"'],
    ],
  ])('finds both in the order of the document, and none in unknown fields: %s', async (spec, want) => {
    const body = `{"metadata":{"name":"d"},"spec":{${spec}}}`;
    const { json } = await fixture.http.send('POST', `${deployments}?fieldValidation=Strict`, body, 'application/json');
    expect(json.message).toBe(`Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: ${want.join(', ')}`);
  });

  test('FieldValidation should detect unknown metadata fields of a typed object', async () => {
    const meta = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","nope":1,"labels":{"a":"b"}}}';
    const path = '/api/v1/namespaces/default/configmaps?fieldValidation=Strict';
    expect((await fixture.create(path, meta)).json.message).toBe(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.nope"',
    );
  });

  test.each(['5.0', '1e3'])('an integer must not be written as %s', async (replicas) => {
    const body = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"float"},"spec":{"replicas":${replicas}}}`;
    expect((await fixture.create(deployments, body)).json.message).toBe(
      `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number ${replicas} into Go struct field DeploymentSpec.spec.replicas of type int32`,
    );
  });

  test('a value of another type is always rejected, with its path', async () => {
    const body = json('typed').replace('"nginx:latest"', '7');
    const rejected = await fixture.create(`${deployments}?fieldValidation=Ignore`, body);
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.image of type string',
    ]);
  });

  test('another directive is rejected', async () => {
    const rejected = await fixture.create(`${deployments}?fieldValidation=Maybe`, json('x'));
    expect([rejected.status, rejected.json.message]).toEqual([
      422,
      'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    ]);
  });

  test('integers of 64 bits are exact', async () => {
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'big' } };
    const text = JSON.stringify({
      ...body,
      spec: { activeDeadlineSeconds: 1, containers: [{ name: 'c', image: 'i' }], securityContext: { runAsUser: 0 } },
    }).replace('"runAsUser":0', '"fsGroup":9007199254740993');
    const made = await fixture.create('/api/v1/namespaces/default/pods?dryRun=All', text);
    expect(made.body.toString()).toContain('9007199254740993');
  });
});
