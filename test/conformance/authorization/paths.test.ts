import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { RawTls } from '../../support/raw-tls.ts';

/** A secret that jane must never read. She may read the config maps of the namespace `open`, and paths below /open. */
const secret = 'c2VjcmV0';

const forbidden = '/api/v1/namespaces/closed/secrets/hidden';

/** Requests with an ambiguous path or header for a careless router. */
const confusing: readonly (readonly [name: string, path: string, headers?: Readonly<Record<string, string>>])[] = [
  ['dots', '/api/v1/namespaces/open/configmaps/../../closed/secrets/hidden'],
  ['encoded dots', '/api/v1/namespaces/open/configmaps/%2e%2e/%2e%2e/closed/secrets/hidden'],
  ['doubly encoded dots', '/api/v1/namespaces/open/configmaps/%252e%252e/%252e%252e/closed/secrets/hidden'],
  ['encoded slashes', '/api/v1/namespaces/open/configmaps%2f..%2f..%2fclosed%2fsecrets%2fhidden'],
  ['a name that is a path', '/api/v1/namespaces/open/configmaps/..%2f..%2fclosed%2fsecrets%2fhidden'],
  ['empty segments', '//api/v1/namespaces/closed//secrets/hidden'],
  ['an allowed prefix', '/open/../api/v1/namespaces/closed/secrets/hidden'],
  ['an encoded allowed prefix', '/open/%2e%2e/api/v1/namespaces/closed/secrets/hidden'],
  ['a dot segment', '/./api/v1/namespaces/closed/secrets/hidden'],
  ['a slash at the end', `${forbidden}/`],
  ['path parameters', '/api/v1;x=y/namespaces;z/closed/secrets;a/hidden;b'],
  ['backslashes', '/api\\v1\\namespaces\\closed\\secrets\\hidden'],
  ['other case', '/API/V1/Namespaces/closed/Secrets/hidden'],
  ['a null byte', `${forbidden}%00`],
  ['an encoded question mark', `/api/v1/namespaces/open/configmaps/a%3f/../../closed/secrets/hidden`],
  ['a fragment', `/api/v1/namespaces/open/configmaps/a#/../../closed/secrets/hidden`],
  ['the whole URL', `https://kubernetes${forbidden}`],
  ['the deprecated form of watch', '/api/v1/watch/namespaces/closed/secrets/hidden?timeoutSeconds=1'],
  ['the form of proxy', '/api/v1/proxy/namespaces/closed/secrets/hidden'],
  ['a list for a get', '/api/v1/namespaces/closed/secrets?fieldSelector=metadata.name%3Dhidden'],
  ['the namespace as a query', '/api/v1/secrets?namespace=open&fieldSelector=metadata.namespace%3Dclosed'],
  ['a repeated namespace', '/api/v1/namespaces/open/namespaces/closed/secrets/hidden'],
  ['another method by header', forbidden, { 'x-http-method-override': 'GET', 'x-original-url': '/open/x' }],
  ['another path by header', '/open/x', { 'x-original-url': forbidden, 'x-rewrite-url': forbidden }],
  ['another host', forbidden, { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '127.0.0.1' }],
  ['a front proxy', forbidden, { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' }],
  ['a front proxy with underscores', forbidden, { x_remote_user: 'admin', x_remote_group: 'system:masters' }],
  ['impersonation', forbidden, { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' }],
  ['impersonation of a group alone', forbidden, { 'impersonate-group': 'system:masters' }],
];

describe('paths and headers that can be read in two ways', () => {
  let folder: string;
  let server: RunningServer;
  let client: HttpClient;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paths-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'jane,jane,1\n');
    server = await startServer({ tokenAuthFile });
    const admin = HttpClient.for(server);
    const create = async (path: string, object: object): Promise<void> => {
      const { status, body } = await admin.send('POST', path, JSON.stringify(object), 'application/json');
      if (status !== 201) throw new Error(body.toString());
    };
    for (const name of ['open', 'closed']) await create('/api/v1/namespaces', { metadata: { name } });
    await create('/api/v1/namespaces/closed/secrets', { metadata: { name: 'hidden' }, data: { secret } });
    await create('/api/v1/namespaces/open/configmaps', { metadata: { name: 'a' }, data: { shown: 'yes' } });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const read = { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] };
    await create(`${rbac}/namespaces/open/roles`, { metadata: { name: 'reader' }, rules: [read] });
    const jane = { subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }] };
    const refTo = (kind: string) => ({ roleRef: { kind, apiGroup: 'rbac.authorization.k8s.io', name: 'reader' } });
    await create(`${rbac}/namespaces/open/rolebindings`, { metadata: { name: 'reader' }, ...refTo('Role'), ...jane });
    const below = { verbs: ['get'], nonResourceURLs: ['/open/*'] };
    await create(`${rbac}/clusterroles`, { metadata: { name: 'reader' }, rules: [below] });
    await create(`${rbac}/clusterrolebindings`, { metadata: { name: 'reader' }, ...refTo('ClusterRole'), ...jane });
    admin.close();
    client = HttpClient.withoutCertificate(server);
    session = connect(server.url, { ca: server.caCertificate });
  });

  afterAll(async () => {
    session?.destroy();
    client?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends the path unchanged, without Node's checks, and returns the whole response. */
  async function raw(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const tls = await RawTls.open({ ...server, admin: { certificate: '', key: '' } }, 'http/1.1', {
      cert: undefined,
      key: undefined,
    });
    const all = { host: new URL(server.url).host, authorization: 'Bearer jane', connection: 'close', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    tls.send(Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'));
    await tls.closed;
    return tls.text;
  }

  function http2(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    return new Promise((resolve) => {
      const stream = session.request({ ':path': path, authorization: 'Bearer jane', ...headers });
      let text = '';
      stream.on('response', (response) => {
        text += `${response[constants.HTTP2_HEADER_STATUS]} `;
      });
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      stream.on('close', () => resolve(text));
      // HTTP/2 itself refuses paths without a leading slash
      stream.on('error', () => resolve('400 refused'));
    });
  }

  test('jane gets what she may read, and not the secret', async () => {
    expect(await raw('/api/v1/namespaces/open/configmaps/a')).toContain('"shown":"yes"');
    expect(await http2('/api/v1/namespaces/open/configmaps/a')).toContain('"shown":"yes"');
    expect(await raw('/open/x')).toContain('404');
    expect(await raw(forbidden)).toContain('"code":403');
    const admin = HttpClient.for(server);
    expect((await admin.get(forbidden)).json.data).toEqual({ secret });
    admin.close();
  });

  test.each(confusing.map(([name, ...request]) => [name, request] as const))('%s', async (_name, [path, headers]) => {
    for (const text of [await raw(path, headers), await http2(path, headers)]) {
      expect(text).not.toContain(secret);
      expect(text).toMatch(/^(HTTP\/1\.1 )?(3|4)\d\d /);
    }
  });

  test('no mutation of a path shows the secret', async () => {
    const pieces = ['/', '//', '.', '..', '%2f', '%2e', '%2E%2E', '%25', ';', '\\', '?', '%3f', '#', '%00', '*', ':', '@'];
    const names = ['api', 'v1', 'namespaces', 'open', 'closed', 'secrets', 'configmaps', 'hidden', 'a', 'watch', 'proxy'];
    const segment = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...pieces));
    const path = fc.oneof(
      fc.array(segment, { maxLength: 14 }).map((parts) => `/${parts.join('/')}`),
      fc
        .tuple(fc.nat({ max: forbidden.length }), fc.constantFrom(...pieces))
        .map(([at, piece]) => forbidden.slice(0, at) + piece + forbidden.slice(at)),
    );
    await fc.assert(
      fc.asyncProperty(path, async (sent) => {
        const timed = `${sent}${sent.includes('?') ? '&' : '?'}timeoutSeconds=1`;
        expect(await http2(timed)).not.toContain(secret);
      }),
      { numRuns: 400, timeout: 10_000 },
    );
  });
});
