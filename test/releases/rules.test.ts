import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { HttpClient } from '../support/http-client.ts';
import { everyVersionOf, generateReleases } from '../support/releases.ts';
import type { TestObject } from '../support/test-object.ts';

/** Rules that differ between releases: what kube-apiserver of each minor answers to the same creation. */
interface Row {
  readonly title: string;
  readonly path: string;
  readonly object: TestObject;
  /** The message of a refusal, or a warning, by minor. Undefined: neither. */
  readonly want: Readonly<Record<'1.34' | '1.35', string | undefined>>;
}

const pods = '/api/v1/namespaces/default/pods';
const container = { name: 'c', image: 'i' };
const long = 'a'.repeat(64);
const labelRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

const pod = (spec: object, metadata: object = {}): TestObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [container], ...spec },
});

const claim = (devices: object): TestObject => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'c' },
  spec: { devices },
});
const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const exactly = { deviceClassName: 'd' };

const both = (message: string): Row['want'] => ({ '1.34': message, '1.35': message });

const rows: readonly Row[] = [
  {
    title: 'a label that is too long',
    path: pods,
    object: pod({}, { labels: { a: long } }),
    want: {
      '1.34': `Pod "p" is invalid: metadata.labels: Invalid value: "${long}": must be no more than 63 characters`,
      '1.35': `Pod "p" is invalid: metadata.labels: Invalid value: "${long}": must be no more than 63 bytes`,
    },
  },
  {
    title: 'a key of a label with two slashes',
    path: pods,
    object: pod({}, { labels: { 'a/b/c': 'd' } }),
    want: {
      '1.34': `Pod "p" is invalid: metadata.labels: Invalid value: "a/b/c": a qualified name ${nameRule}`,
      '1.35': `Pod "p" is invalid: metadata.labels: Invalid value: "a/b/c": a valid label key ${nameRule}`,
    },
  },
  {
    title: 'a toleration that compares',
    path: pods,
    object: pod({ tolerations: [{ key: 'a', operator: 'Lt', value: '1' }] }),
    want: {
      '1.34': 'Pod "p" is invalid: spec.tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists"',
      '1.35': 'Pod "p" is invalid: spec.tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"',
    },
  },
  {
    title: 'a toleration with a wrong value',
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    object: {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'r' },
      handler: 'h',
      scheduling: { tolerations: [{ key: 'a', operator: 'Equal', value: '-' }] },
    },
    want: {
      '1.34': `RuntimeClass.node.k8s.io "r" is invalid: scheduling.tolerations.tolerations[0].operator: Invalid value: "-": ${labelRule}`,
      '1.35': `RuntimeClass.node.k8s.io "r" is invalid: scheduling.tolerations[0].operator: Invalid value: "-": ${labelRule}`,
    },
  },
  {
    title: 'the traffic distribution PreferClose',
    path: '/api/v1/namespaces/default/services',
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { ports: [{ port: 1 }], trafficDistribution: 'PreferClose' },
    },
    want: { '1.34': undefined, '1.35': '299 - "spec.trafficDistribution: \\"PreferClose\\" is deprecated; use \\"PreferSameZone\\""' },
  },
  {
    title: 'a quota of requests above that of limits',
    path: '/api/v1/namespaces/default/resourcequotas',
    object: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard: { 'requests.cpu': '2', 'limits.cpu': '1' } },
    },
    want: { '1.34': undefined, '1.35': '299 - "ResourceQuota requests.cpu (2) should be less than limits.cpu (1)"' },
  },
  {
    title: 'two requests of the same name',
    path: claims,
    object: claim({
      requests: [
        { name: 'a', exactly },
        { name: 'a', exactly },
      ],
    }),
    want: {
      '1.34': 'ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[1].name: Duplicate value: "a"',
      '1.35': 'ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[1]: Duplicate value: "a"',
    },
  },
  {
    title: 'an attribute of a device without a value',
    path: '/apis/resource.k8s.io/v1/resourceslices',
    object: {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 's' },
      spec: {
        driver: 'd',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        nodeName: 'n',
        devices: [{ name: 'one', attributes: { a: {} } }],
      },
    },
    want: {
      '1.34':
        'ResourceSlice.resource.k8s.io "s" is invalid: spec.devices[0].attributes[a]: Required value: exactly one value must be specified',
      '1.35':
        'ResourceSlice.resource.k8s.io "s" is invalid: spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
    },
  },
  {
    title: 'a toleration of a request, whose gate is off',
    path: claims,
    object: claim({ requests: [{ name: 'a', exactly: { ...exactly, tolerations: [{ operator: 'x' }] } }] }),
    want: {
      '1.34':
        'ResourceClaim.resource.k8s.io "c" is invalid: spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "x": supported values: "Equal", "Exists"',
      '1.35': undefined,
    },
  },
  {
    title: 'a storage class without a provisioner',
    path: '/apis/storage.k8s.io/v1/storageclasses',
    object: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 's' } },
    want: both('StorageClass.storage.k8s.io "s" is invalid: provisioner: Required value'),
  },
  {
    title: 'params without an action when there are none',
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { name: 'a' } },
    },
    want: both(
      'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "b" is invalid: spec.paramRef.parameterNotFoundAction: Required value',
    ),
  },
];

beforeAll(generateReleases);

describe.each(['1.34', '1.35'] as const)('the rules of v%s', (kubernetes) => {
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    server = await startServer({ ...everyVersionOf(`v${kubernetes}`), kubernetes, logLevel: 'error' });
    http = HttpClient.for(server);
    await http.send('POST', '/api/v1/namespaces/default/serviceaccounts', '{"metadata":{"name":"default"}}', 'application/json');
  });
  afterAll(async () => {
    http?.close();
    await server?.close();
  });

  test.each(rows)('$title', async ({ path, object, want }) => {
    const { status, json, headers } = await http.send('POST', `${path}?dryRun=All`, JSON.stringify(object), 'application/json');
    expect(status >= 400 ? json.message : headers.warning).toBe(want[kubernetes]);
  });
});
