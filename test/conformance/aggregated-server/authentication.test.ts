import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AggregatedServer, eventually, todaysCertificate } from '../../support/delegating-server.ts';
import { HttpClient } from '../../support/http-client.ts';

const books = '/apis/library.example.com/v1/namespaces/default/books';
const remoteUser = { 'x-remote-user': 'jane', 'x-remote-group': 'readers' };
const notAuthenticated = [401, 'Unauthorized'];
const forbidden = (user: string): string =>
  `books.library.example.com is forbidden: User "${user}" cannot list resource "books" in API group "library.example.com" in the namespace "default"`;

describe('an aggregated server', () => {
  let folder: string;
  let pair: AggregatedServer;
  let stranger: HttpClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tokens-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'secret,jane,u1,"readers"\nadmin,root,u2,"system:masters"\n');
    pair = await AggregatedServer.start({ tokenAuthFile });
    await pair.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'books' },
      rules: [{ apiGroups: ['library.example.com'], resources: ['books'], verbs: ['list'] }],
    });
    await pair.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'books' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'books' },
      subjects: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'readers' },
        { kind: 'ServiceAccount', name: 'library', namespace: 'books' },
      ],
    });
    stranger = pair.client(HttpClient.withoutCertificate(pair.server));
  });
  afterAll(async () => {
    await pair?.close();
    await rm(folder, { recursive: true });
  });

  const list = async (http: HttpClient, headers: Record<string, string> = {}): Promise<unknown[]> => {
    const { status, json } = await http.get(books, { headers });
    return status === 200 ? [status] : [status, json.message];
  };

  test('serves its own group and nothing of Kubernetes', async () => {
    const admin = pair.client(HttpClient.for(pair.server));
    const { json } = await admin.get('/apis');
    expect(json.groups.map(({ name }: { name: string }) => name)).toEqual(['library.example.com']);
    expect((await admin.get('/api/v1/namespaces')).status).toBe(404);
    expect((await admin.get('/.well-known/openid-configuration')).status).toBe(404);
    const { json: v3 } = await admin.get('/openapi/v3');
    expect(Object.keys(v3.paths)).toContain('apis/library.example.com/v1');
    expect(Object.keys(v3.paths).filter((path) => path.startsWith('apis/') && !path.includes('library'))).toEqual([]);
    expect((await admin.get('/openapi/v2')).json.paths).toHaveProperty([books.replace('default', '{namespace}')]);
  });

  test.each(['/healthz', '/readyz', '/livez'])('tells everybody about its health at %s', async (path) => {
    expect((await stranger.get(path)).status).toBe(200);
  });

  test('believes the headers of a front proxy whose certificate is of the published CA', async () => {
    const proxy = pair.as('front-proxy');
    expect(await list(proxy, remoteUser)).toEqual([200]);
    expect(await list(proxy, { 'x-remote-user': 'joe' })).toEqual([403, forbidden('joe')]);
  });

  test('does not believe them of anybody else', async () => {
    expect(await list(stranger, remoteUser)).toEqual([403, forbidden('system:anonymous')]);
    expect(await list(pair.as('another'), remoteUser)).toEqual(notAuthenticated);
    const other = todaysCertificate({ commonName: 'front-proxy-ca', use: 'ca' });
    expect(await list(pair.as('front-proxy', other), remoteUser)).toEqual(notAuthenticated);
    expect(await list(stranger, { ...remoteUser, authorization: 'Bearer secret' })).toEqual([200]);
    const headers = { ...remoteUser, 'x-remote-group': 'system:masters', authorization: 'Bearer secret' };
    const { status } = await stranger.send('DELETE', books, undefined, undefined, { headers });
    expect(status).toBe(403);
  });

  test('asks its delegate who the user of a token is', async () => {
    expect(await list(stranger, { authorization: 'Bearer secret' })).toEqual([200]);
    expect(await list(stranger, { authorization: 'Bearer wrong' })).toEqual(notAuthenticated);
    const path = '/api/v1/namespaces/books/serviceaccounts/library/token';
    const { json } = await pair.create(path, { spec: {} });
    expect(await list(stranger, { authorization: `Bearer ${json.status.token}` })).toEqual([200]);
  });

  test('remembers the user of a token for ten seconds', async () => {
    const accounts = '/api/v1/namespaces/books/serviceaccounts';
    await pair.create(accounts, { metadata: { name: 'brief' } });
    const { json } = await pair.create(`${accounts}/brief/token`, { spec: {} });
    const headers = { authorization: `Bearer ${json.status.token}` };
    const refused = [403, forbidden('system:serviceaccount:books:brief')];
    expect(await list(stranger, headers)).toEqual(refused);
    expect((await pair.admin.send('DELETE', `${accounts}/brief`)).status).toBe(200);
    pair.clock.putForward(9_000);
    expect(await list(stranger, headers)).toEqual(refused);
    pair.clock.putForward(1_001);
    expect(await list(stranger, headers)).toEqual(notAuthenticated);
  });

  test('follows the published CAs and names of front proxies and clients', async () => {
    const nextCA = todaysCertificate({ commonName: 'next-ca', use: 'ca' });
    const clientCA = todaysCertificate({ commonName: 'client-ca', use: 'ca' });
    const first = pair.as('front-proxy');
    const next = pair.as('next-proxy', nextCA);
    const client = pair.as('joe', clientCA);
    const headers = { 'x-user': 'jane', 'x-remote-group': 'readers' };
    expect(await list(first, remoteUser)).toEqual([200]);
    // their connections stay open
    expect(await list(next, headers)).toEqual(notAuthenticated);
    expect(await list(client)).toEqual(notAuthenticated);
    await pair.publish({
      'client-ca-file': clientCA.certificate,
      'requestheader-client-ca-file': nextCA.certificate,
      'requestheader-username-headers': '["X-User"]',
      'requestheader-allowed-names': '[]',
    });
    await eventually(async () => (await list(next, headers))[0] === 200);
    await eventually(async () => (await list(client))[0] === 403);
    expect(await list(client)).toEqual([403, forbidden('joe')]);
    expect(await list(first, remoteUser)).toEqual(notAuthenticated);
    await pair.publish({ 'requestheader-username-headers': 'X-Remote-User', 'client-ca-file': 'none' });
    // an unreadable file changes nothing
    await eventually(async () => (await list(first, headers))[0] !== 401);
    expect(await list(client)).toEqual([403, forbidden('joe')]);
    await pair.publish({});
    await eventually(async () => (await list(first, remoteUser))[0] === 200);
  });
});
