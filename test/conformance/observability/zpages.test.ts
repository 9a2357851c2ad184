import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';

let server: RunningServer;
let http: HttpClient;

beforeAll(async () => {
  server = await startServer({
    featureGates: ['ComponentFlagz=true', 'ComponentStatusz=true'],
    flags: { 'secure-port': '0', 'bind-address': '127.0.0.1' },
  });
  http = HttpClient.for(server);
});

afterAll(async () => {
  http?.close();
  await server?.close();
});

const as = (kind: string, type = 'application/json'): string => `${type};g=config.k8s.io;v=v1alpha1;as=${kind}`;
const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for ' +
  'debugging purposes only.\n';

test.each([undefined, '*/*', 'text/plain', `text/plain;q=0.5, ${as('Table')}`])('Accept %j gets text', async (accept) => {
  const headers = accept === undefined ? undefined : { accept };
  const flags = await http.get('/flagz', { headers });
  expect(flags.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(flags.body.toString().replace(/^(bind-address|secure-port)(: |[:= ])/gm, '$1=')).toBe(
    `\nkube-apiserver flagz\n${warning}bind-address=127.0.0.1\nsecure-port=0\n`,
  );
  const status = await http.get('/statusz', { headers });
  expect(status.headers['content-type']).toBe('text/plain; charset=utf-8');
  const text = status.body.toString();
  expect(text.startsWith(`\nkube-apiserver statusz\n${warning}\nStarted`)).toBe(true);
  expect(text.slice(text.indexOf('\nStarted') + 1)).toMatch(
    /^Started\S* +\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}\nUp\S* +\d+ hr \d\d min \d\d sec\nGo version\S* +node\S+\nBinary version\S* +1\.35\.0\S+\nEmulation version\S* +1\.35\nPaths\S* +\/flagz \/healthz \/livez \/metrics \/readyz \/statusz \/version\n$/,
  );
});

test('objects of config.k8s.io describe the process', async () => {
  const flags = await http.get('/flagz', { headers: { accept: as('Flagz') } });
  expect(flags.headers['content-type']).toBe(as('Flagz'));
  expect(flags.json).toEqual({
    kind: 'Flagz',
    apiVersion: 'config.k8s.io/v1alpha1',
    metadata: { name: 'kube-apiserver' },
    flags: { 'bind-address': '127.0.0.1', 'secure-port': '0' },
  });
  const status = await http.get('/statusz', { headers: { accept: as('Statusz') } });
  expect(status.headers['content-type']).toBe(as('Statusz'));
  expect(status.json).toEqual({
    kind: 'Statusz',
    apiVersion: 'config.k8s.io/v1alpha1',
    metadata: { name: 'kube-apiserver' },
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    uptimeSeconds: expect.any(Number),
    goVersion: `node${process.versions.node}`,
    binaryVersion: server.version.slice(1),
    emulationVersion: '1.35',
    paths: ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'],
  });
});

test.each([
  'application/json',
  'application/yaml',
  as('Flagz'),
  as('Statusz', 'application/yaml'),
  as('Statusz', 'application/vnd.kubernetes.protobuf'),
  as('Statusz').replace('v1alpha1', 'v1'),
])('%s is not acceptable for /statusz', async (accept) => {
  const { status, body } = await http.get('/statusz', { headers: { accept } });
  expect(status).toBe(406);
  expect(body.toString().replace(/\n +/g, ' ')).toContain(
    'only the following media types are accepted: application/json, application/yaml, ' + 'application/vnd.kubernetes.protobuf, text/plain',
  );
});

test('the pages do not exist without their feature gates', async () => {
  const other = await startServer();
  const client = HttpClient.for(other);
  try {
    for (const path of ['/flagz', '/statusz']) {
      const { status, body } = await client.get(path);
      expect([status, body.toString()]).toEqual([404, '404 page not found\n']);
      expect((await client.get('/')).json.paths).not.toContain(path);
    }
  } finally {
    client.close();
    await other.close();
  }
});
