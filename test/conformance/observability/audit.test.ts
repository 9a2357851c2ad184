import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../runtime/index.ts';
import { AuditLog } from '../../support/audit-log.ts';
import { HttpClient, type HttpResponse, type RequestOptions } from '../../support/http-client.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { startTestServer } from '../../support/test-server.ts';

const json = 'application/json';
const configMaps = '/api/v1/namespaces/default/configmaps';
const longText = 'x'.repeat(70 * 1024);

const rules = [
  { level: 'None', nonResourceURLs: ['/readyz*'] },
  {
    level: 'RequestResponse',
    resources: [{ resources: ['configmaps', 'serviceaccounts/token', 'namespaces'] }],
    omitManagedFields: true,
  },
  { level: 'RequestResponse', resources: [{ group: 'apps', resources: ['deployments', 'deployments/scale'] }] },
  { level: 'RequestResponse', nonResourceURLs: ['/api', '/apis/apps', '/version'] },
  { level: 'Request', resources: [{ resources: ['pods', 'pods/eviction', 'pods/binding'] }] },
  { level: 'Metadata', omitStages: ['RequestReceived'], resources: [{ resources: ['services'] }] },
  { level: 'Metadata' },
];

/** A request and the last event about it. */
interface Row {
  readonly title: string;
  readonly send: readonly [method: string, path: string, body?: unknown, contentType?: string];
  readonly options?: RequestOptions;
  readonly event: object;
  /** Members that the event must not have. */
  readonly absent?: readonly string[];
}

const configMap = (name: string, more: object = {}) => ({ metadata: { name }, data: { a: '<1>' }, ...more });
const podTemplate = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template: podTemplate } };
const table = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
const protobuf = { headers: { accept: 'application/vnd.kubernetes.protobuf' } };
const yaml = { headers: { accept: 'application/yaml' } };
const allowed = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': expect.any(String) };

const rows: readonly Row[] = [
  {
    title: 'a POST names the object of its body, and has it with defaults',
    send: ['POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec: podTemplate.spec }],
    event: {
      level: 'Request',
      verb: 'create',
      responseStatus: { metadata: {}, code: 201 },
      annotations: allowed,
      objectRef: { resource: 'pods', namespace: 'default', name: 'p', apiVersion: 'v1' },
      requestObject: { kind: 'Pod', apiVersion: 'v1', spec: { restartPolicy: 'Always' } },
    },
    absent: ['responseObject'],
  },
  {
    title: 'the level RequestResponse adds the body of the response',
    send: ['POST', configMaps, configMap('a')],
    event: {
      requestObject: { kind: 'ConfigMap', data: { a: '<1>' } },
      responseObject: { kind: 'ConfigMap', metadata: { name: 'a', uid: expect.any(String) }, data: { a: '<1>' } },
    },
  },
  {
    title: 'a PUT names the uid and the resourceVersion of its body',
    send: ['PUT', `${configMaps}/a`, configMap('a', { metadata: { name: 'a', uid: 'other', resourceVersion: '1' } })],
    event: {
      objectRef: { uid: 'other', resourceVersion: '1' },
      responseStatus: { metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 },
      responseObject: { kind: 'Status', code: 409 },
    },
  },
  {
    title: 'a patch is recorded as it was sent',
    send: ['PATCH', `${configMaps}/a`, '{ "data": {"b": "2"} }', 'application/merge-patch+json'],
    event: { verb: 'patch', requestObject: { data: { b: '2' } }, responseObject: { data: { a: '<1>', b: '2' } } },
  },
  {
    title: 'a patch in YAML becomes JSON',
    send: [
      'PATCH',
      `${configMaps}/ssa?fieldManager=me`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ssa}\ndata: {c: "3"}\n',
      'application/apply-patch+yaml',
    ],
    event: {
      requestObject: { kind: 'ConfigMap', data: { c: '3' } },
      responseStatus: { code: 201 },
      responseObject: { data: { c: '3' } },
    },
  },
  {
    title: 'a patch that is no JSON is recorded as text',
    send: ['PATCH', `${configMaps}/a`, '{"data":', 'application/merge-patch+json'],
    event: { requestObject: '{"data":', responseStatus: { code: 400 } },
  },
  {
    title: 'an object from a worker thread is recorded whole',
    send: ['POST', configMaps, configMap('large', { data: { text: longText } })],
    event: {
      objectRef: { name: 'large' },
      requestObject: { data: { text: longText } },
      responseObject: { metadata: { uid: expect.any(String) }, data: { text: longText } },
    },
  },
  {
    title: 'an error from a worker thread is recorded, too',
    send: ['POST', configMaps, configMap('Large', { data: { text: longText } })],
    event: {
      requestObject: { metadata: { name: 'Large' } },
      responseStatus: { reason: 'Invalid', code: 422 },
      responseObject: { kind: 'Status' },
    },
  },
  {
    title: 'what storage refuses of a worker thread is recorded, too',
    send: ['POST', configMaps, configMap('large', { data: { text: longText } })],
    event: {
      requestObject: { data: { text: longText } },
      responseStatus: { reason: 'AlreadyExists', code: 409 },
      responseObject: { kind: 'Status' },
    },
  },
  {
    title: 'an object that a worker thread encodes as protobuf is recorded as JSON',
    send: ['PATCH', `${configMaps}/large`, '{"data":{"more":"1"}}', 'application/merge-patch+json'],
    options: protobuf,
    event: { responseObject: { kind: 'ConfigMap', data: { more: '1', text: longText } } },
  },
  {
    title: 'a response in protobuf is recorded as JSON',
    send: ['GET', `${configMaps}/a`],
    options: protobuf,
    event: { responseObject: { kind: 'ConfigMap', apiVersion: 'v1', data: { a: '<1>' } } },
  },
  {
    title: 'a pretty response is recorded as compact JSON',
    send: ['GET', `${configMaps}/a?pretty=true`],
    event: { responseObject: { data: { a: '<1>' } } },
  },
  {
    title: 'a list has its items',
    send: ['GET', `${configMaps}?limit=1`],
    event: { verb: 'list', responseObject: { kind: 'ConfigMapList', items: [{ data: { a: '<1>' } }] } },
  },
  {
    title: 'a list in YAML is recorded as JSON',
    send: ['GET', configMaps],
    options: yaml,
    event: {
      responseObject: {
        kind: 'ConfigMapList',
        items: ['a', 'large', 'ssa'].map((name) => ({ metadata: { name } })),
      },
    },
  },
  {
    title: 'a table is recorded as a table',
    send: ['GET', `${configMaps}?limit=1`],
    options: table,
    event: { responseObject: { kind: 'Table', rows: [{ object: { metadata: { name: 'a' } } }] } },
  },
  {
    title: 'managed fields stay if the policy does not omit them',
    send: ['POST', '/apis/apps/v1/namespaces/default/deployments', deployment],
    event: { responseObject: { metadata: { managedFields: [expect.any(Object)] } } },
  },
  {
    title: 'a scale is an object of its own',
    send: ['PUT', '/apis/apps/v1/namespaces/default/deployments/d/scale', { metadata: { name: 'd' }, spec: { replicas: 2 } }],
    event: {
      objectRef: { resource: 'deployments', subresource: 'scale', apiGroup: 'apps', name: 'd' },
      requestObject: { kind: 'Scale', spec: { replicas: 2 } },
      responseObject: { kind: 'Scale', spec: { replicas: 2 } },
    },
  },
  {
    title: 'a patched scale has its patch',
    send: ['PATCH', '/apis/apps/v1/namespaces/default/deployments/d/scale', { spec: { replicas: 3 } }, 'application/merge-patch+json'],
    event: { requestObject: { spec: { replicas: 3 } }, responseObject: { kind: 'Scale', spec: { replicas: 3 } } },
  },
  {
    title: 'a binding is recorded, and its response is a Status',
    send: ['POST', '/api/v1/namespaces/default/pods/p/binding', { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }],
    event: {
      objectRef: { name: 'p', subresource: 'binding' },
      requestObject: { kind: 'Binding', target: { name: 'n' } },
      responseStatus: { metadata: {}, status: 'Success', code: 201 },
    },
  },
  {
    title: 'the options of a DELETE are recorded, and the Status of its response',
    send: ['DELETE', `${configMaps}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: {} }],
    event: {
      requestObject: { kind: 'DeleteOptions', preconditions: {} },
      responseStatus: { metadata: {}, status: 'Success', details: { name: 'a' }, code: 200 },
      responseObject: { kind: 'Status', status: 'Success' },
    },
  },
  {
    title: 'a DELETE of a collection has the list of what was deleted',
    send: ['DELETE', `${configMaps}?fieldSelector=metadata.name=ssa`],
    event: { verb: 'deletecollection', responseObject: { items: [{ metadata: { name: 'ssa' } }] } },
    absent: ['requestObject'],
  },
  {
    title: 'an error is a Status',
    send: ['GET', `${configMaps}/none`],
    event: {
      responseStatus: {
        metadata: {},
        status: 'Failure',
        message: 'configmaps "none" not found',
        reason: 'NotFound',
        details: { name: 'none', kind: 'configmaps' },
        code: 404,
      },
      responseObject: { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 404 },
    },
  },
  {
    title: 'an error whose response cannot show a Status has its code only',
    send: ['GET', `${configMaps}/none`],
    options: { headers: { accept: 'image/png' } },
    event: { responseStatus: { metadata: {}, code: 406 } },
    absent: ['responseObject'],
  },
  {
    title: 'discovery is recorded',
    send: ['GET', '/apis/apps'],
    event: { responseObject: { kind: 'APIGroup', name: 'apps' } },
    absent: ['objectRef'],
  },
  {
    title: 'documents that are no API objects are not recorded',
    send: ['GET', '/version'],
    event: { level: 'RequestResponse', verb: 'get', responseStatus: { metadata: {}, code: 200 } },
    absent: ['responseObject', 'objectRef'],
  },
  {
    title: 'a deprecated version has annotations',
    send: ['GET', '/api/v1/componentstatuses'],
    event: { annotations: { ...allowed, 'k8s.io/deprecated': 'true' } },
  },
  {
    title: 'a request without a rule of its own has the level of the last rule',
    send: ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'issuing' } }],
    event: { objectRef: { resource: 'serviceaccounts', name: 'issuing' } },
  },
  {
    title: 'a token that is issued has an annotation',
    send: ['POST', '/api/v1/namespaces/default/serviceaccounts/issuing/token', { spec: { audiences: [] } }],
    event: {
      annotations: { ...allowed, 'authentication.kubernetes.io/issued-credential-id': expect.stringMatching(/^JTI=/) },
      responseObject: { kind: 'TokenRequest' },
    },
  },
  {
    title: 'a request that is forbidden says so',
    send: ['GET', '/api/v1/secrets'],
    options: { headers: { 'impersonate-user': 'jane' } },
    event: {
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': '' },
      responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403 },
    },
  },
  {
    title: 'an impersonated user is recorded beside the real one',
    send: ['GET', '/api/v1/nodes'],
    options: { headers: { 'impersonate-user': 'jane', 'impersonate-group': 'devs' } },
    event: {
      user: { username: 'kubernetes-admin' },
      impersonatedUser: { username: 'jane', groups: ['devs', 'system:authenticated'] },
    },
  },
  {
    title: 'addresses and the user agent are recorded',
    send: ['GET', '/api/v1/nodes'],
    options: {
      headers: {
        'x-forwarded-for': '10.0.0.1, no, ::ffff:10.0.0.2',
        'x-real-ip': '2001:DB8::0:1',
        'user-agent': 'z'.repeat(1025),
      },
    },
    event: {
      sourceIPs: ['10.0.0.1', '10.0.0.2', '2001:db8::1', '127.0.0.1'],
      userAgent: `${'z'.repeat(1024)}...TRUNCATED`,
    },
  },
  {
    title: 'the URI is as the client sent it',
    send: ['GET', '/api/v1/namespaces/%64efault/services?labelSelector=a%3Db&limit=5'],
    event: { requestURI: '/api/v1/namespaces/%64efault/services?labelSelector=a%3Db&limit=5' },
  },
];

describe('audit events', () => {
  let log: AuditLog;
  let server: RunningServer;
  let http: HttpClient;

  beforeAll(async () => {
    log = await AuditLog.withRules(rules);
    server = await startTestServer({ auditPolicyFile: log.policyFile, auditLogPath: log.path, ...quietNamespaces });
    http = HttpClient.for(server);
  });

  afterAll(async () => {
    http?.close();
    await server?.close();
    await log?.remove();
  });

  function send(row: Pick<Row, 'send' | 'options'>, auditId: string): Promise<HttpResponse> {
    const [method, path, body, contentType = json] = row.send;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { ...row.options?.headers, 'audit-id': auditId };
    return http.send(method, path, text, text === undefined ? undefined : contentType, { headers });
  }

  test.each(rows.map((row, index) => [row.title, row, index] as const))('%s', async (_, row, index) => {
    const auditId = `row-${index}`;
    const response = await send(row, auditId);
    expect(response.headers['audit-id']).toBe(auditId);
    const events = await log.events(auditId);
    const last = events.at(-1);
    expect(last).toMatchObject({ kind: 'Event', apiVersion: 'audit.k8s.io/v1', stage: 'ResponseComplete' });
    expect(last).toMatchObject({ ...row.event, auditID: auditId });
    for (const member of row.absent ?? []) expect(last).not.toHaveProperty(member);
    expect(JSON.stringify(last).includes('managedFields')).toBe(row.title.startsWith('managed fields stay'));
  });

  test('a request has an event when it is received, and one when its response is complete', async () => {
    await send({ send: ['GET', '/api/v1/nodes'] }, 'both');
    const [received, complete, ...more] = await log.events('both');
    expect(more).toEqual([]);
    expect(received).toMatchObject({ stage: 'RequestReceived', stageTimestamp: received.requestReceivedTimestamp });
    expect(received).not.toHaveProperty('responseStatus');
    expect(received).not.toHaveProperty('annotations');
    expect(complete.stage).toBe('ResponseComplete');
    expect(complete.stageTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Object.keys(complete)).toEqual([
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'sourceIPs',
      'objectRef',
      'responseStatus',
      'requestReceivedTimestamp',
      'stageTimestamp',
      'annotations',
    ]);
  });

  test('stages that a rule omits have no events', async () => {
    await send({ send: ['GET', '/api/v1/services'] }, 'omitted');
    expect((await log.events('omitted')).map(({ stage }) => stage)).toEqual(['ResponseComplete']);
  });

  test('requests of level None have no events', async () => {
    await send({ send: ['GET', '/readyz'] }, 'none');
    expect(await log.events('none')).toEqual([]);
  });

  test('a watch has an event when it starts, and none of its events has a body', async () => {
    await send({ send: ['GET', `${configMaps}?watch=1&timeoutSeconds=1`] }, 'watch');
    const events = await log.events('watch');
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[1]).toMatchObject({ level: 'RequestResponse', verb: 'watch', responseStatus: { code: 200 } });
    for (const event of events) expect(event).not.toHaveProperty('responseObject');
  });

  test('a watch that is refused starts with the error', async () => {
    await send({ send: ['GET', `${configMaps}?watch=1&resourceVersion=x`] }, 'bad-watch');
    const events = await log.events('bad-watch');
    expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[1].responseStatus).toMatchObject({ status: 'Failure', code: 500 });
  });

  test.each([
    ['bad credentials', { authorization: 'Bearer no' }, { status: 'Failure', message: 'Unauthorized', code: 401 }],
    [
      'bad credentials whose error cannot be shown',
      { authorization: 'Bearer no', accept: 'image/png' },
      { message: 'Authentication failed, attempted: bearer', code: 401 },
    ],
  ])('%s have one event, without a user', async (title, headers, status) => {
    const stranger = HttpClient.withoutCertificate(server);
    const auditId = title.replaceAll(' ', '-');
    await stranger.get('/api/v1/nodes', { headers: { ...headers, 'audit-id': auditId } });
    stranger.close();
    const [event, ...more] = await log.events(auditId);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ stage: 'ResponseStarted', user: {}, objectRef: { resource: 'nodes' } });
    expect(event.user).toEqual({});
    expect(event.responseStatus).toMatchObject({ metadata: {}, ...status });
  });

  test('an invalid timeout has one event, without a user', async () => {
    await send({ send: ['GET', '/api/v1/nodes?timeout=x'] }, 'timeout');
    expect(await log.events('timeout')).toMatchObject([{ stage: 'ResponseStarted', responseStatus: { code: 400 } }]);
  });

  test('metrics count events and levels', async () => {
    const before = await metrics();
    await send({ send: ['GET', '/api/v1/nodes'] }, 'counted');
    const after = await metrics();
    // the second scrape counts the first one, whose last event came after its response
    expect(after.get('apiserver_audit_event_total')).toBe((before.get('apiserver_audit_event_total') ?? 0) + 4);
    const level = 'apiserver_audit_level_total{level="Metadata"}';
    expect(after.get(level)).toBe((before.get(level) ?? 0) + 2);
  });

  async function metrics(): Promise<Map<string, number>> {
    const text = (await http.get('/metrics')).body.toString();
    return new Map([...text.matchAll(/^(apiserver_audit\S+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]));
  }
});
