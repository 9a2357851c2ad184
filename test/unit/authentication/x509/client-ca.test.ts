import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { respondText } from '../../../../runtime/http/respond.ts';
import type { UserInfo } from '../../../../runtime/machinery/user-info.ts';
import { type CertificateRequest, issueCertificate, type KeyPair } from '../../../../runtime/serving/x509-certificate.ts';
import { RawTls } from '../../../support/raw-tls.ts';
import { http2Get, openSession, startTestServing, type TestServing } from '../../../support/test-serving.ts';

const path = '/api/v1/pods';
const from = Date.now() - 60_000;
const validity = { from, until: from + 24 * 3600 * 1000 };
const authority = (commonName: string): KeyPair => issueCertificate({ commonName, use: 'ca', ...validity });
const clientOf = (issuer: KeyPair, request: Partial<CertificateRequest> = {}): KeyPair =>
  issueCertificate({ commonName: 'jane', use: 'client', ...validity, ...request }, issuer);

describe('--client-ca-file and --requestheader-client-ca-file', () => {
  const clientCA = authority('clients');
  const proxyCA = authority('proxies');
  const otherCA = authority('clients');
  let folder: string;
  let serving: TestServing;
  let clientCaFile: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ca-'));
    clientCaFile = join(folder, 'clients.pem');
    await writeFile(clientCaFile, `# comment\n${authority('unused').certificate}${clientCA.certificate}`);
    await writeFile(join(folder, 'proxies.pem'), proxyCA.certificate);
    serving = await startTestServing(
      (ctx) =>
        respondText(
          ctx,
          200,
          JSON.stringify({
            user: ctx.state.user,
            headers: Object.keys(ctx.req.headers).filter((name) => ctx.req.headers[name] !== undefined),
            raw: ctx.req.rawHeaders,
          }),
        ),
      {
        clientCaFile,
        requestHeaderClientCaFile: join(folder, 'proxies.pem'),
        requestHeaderAllowedNames: ['front', 'aggregator'],
        requestHeaderUsernameHeaders: ['X-Remote-User', 'X-Other-User'],
        requestHeaderUidHeaders: ['X-Remote-Uid'],
        requestHeaderGroupHeaders: ['X-Remote-Group'],
        requestHeaderExtraHeadersPrefix: ['X-Remote-Extra-'],
      },
    );
  });
  afterAll(async () => {
    await serving.gracefulShutdown.close();
    await rm(folder, { recursive: true });
  });

  interface Seen {
    readonly user: UserInfo;
    readonly headers: readonly string[];
    readonly raw: readonly string[];
  }
  const ask = async (pair: KeyPair, headers: Record<string, string | string[]> = {}): Promise<number | Seen> => {
    const { status, body } = await http2Get(serving, path, { pair, headers: headers as Record<string, string> });
    return status === 200 ? (JSON.parse(body) as Seen) : status;
  };
  const userOf = async (...asked: Parameters<typeof ask>): Promise<UserInfo | number> => {
    const seen = await ask(...asked);
    return typeof seen === 'number' ? seen : seen.user;
  };

  test('a certificate is a user with groups and a uid', async () => {
    const pair = clientOf(clientCA, { organizations: ['devs', 'ops'], uid: 'u-1' });
    expect(await userOf(pair)).toEqual({
      name: 'jane',
      uid: 'u-1',
      groups: ['devs', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] },
    });
  });

  const notCA = clientOf(clientCA);
  test.each<[string, KeyPair]>([
    ['of another CA with the same name', clientOf(otherCA)],
    ['of the CA for proxies', clientOf(proxyCA)],
    ['for servers', clientOf(clientCA, { use: 'server' })],
    ['that a client signed', clientOf(notCA)],
    ['that has no name and no groups', clientOf(clientCA, { commonName: '' })],
    ['with an empty uid', clientOf(clientCA, { uid: '' })],
    ['that has expired', clientOf(clientCA, { from: from - 2000, until: from - 1000 })],
    ['that signed itself', issueCertificate({ commonName: 'jane', use: 'client', ...validity })],
  ])('a certificate %s is refused', async (_, pair) => {
    expect(await ask(pair)).toBe(401);
  });

  test("a CA's own certificate is a user of its name, and no more", async () => {
    expect(await userOf(clientCA)).toMatchObject({ name: 'clients', groups: ['system:authenticated'] });
  });

  test('an intermediate CA may have signed, also if the client resumes its session', async () => {
    const intermediate = issueCertificate({ commonName: 'between', use: 'ca', ...validity }, clientCA);
    const leaf = clientOf(intermediate);
    const certificate = leaf.certificate + intermediate.certificate;
    expect(await userOf({ ...leaf, certificate })).toMatchObject({ name: 'jane' });
    expect(await ask(leaf)).toBe(401);
    const first = await RawTls.open(serving, 'http/1.1', { cert: certificate, key: leaf.key });
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    await first.send(request).until(/"jane"/);
    const session = first.socket.getSession();
    const again = await RawTls.open(serving, 'http/1.1', { session, cert: undefined, key: undefined });
    await again.send(request).until(/"jane"/);
    expect(again.socket.isSessionReused()).toBe(true);
    first.destroy();
    again.destroy();
  });

  test('a front proxy says in headers who the user is', async () => {
    const seen = await ask(clientOf(proxyCA, { commonName: 'front' }), {
      'X-Remote-User': 'remote',
      'X-Remote-Uid': 'u',
      'x-remote-group': ['a,b', 'c', ''],
      'X-Other': 'kept',
      'x-remote-extra-scopes': ['one', 'two'],
      'X-REMOTE-EXTRA-acme.io%2Fkey': 'three',
    });
    expect(seen).toMatchObject({
      user: {
        name: 'remote',
        uid: 'u',
        groups: ['a,b', 'c', 'system:authenticated'],
        extra: { scopes: ['one', 'two'], 'acme.io/key': ['three'] },
      },
    });
    const { headers, raw } = seen as Seen;
    expect(headers.filter((name) => name.startsWith('x-'))).toEqual(['x-other']);
    expect(raw.filter((name) => name.startsWith('x-'))).toEqual(['x-other']);
  });

  test('the first header with a value names the user', async () => {
    const proxy = clientOf(proxyCA, { commonName: 'aggregator' });
    expect(await userOf(proxy, { 'x-remote-user': '', 'x-other-user': 'second' })).toMatchObject({ name: 'second' });
  });

  test.each<[string, KeyPair, Record<string, string>, number | string]>([
    ['another name than the allowed ones', clientOf(proxyCA), { 'x-remote-user': 'admin' }, 401],
    ['no headers', clientOf(proxyCA, { commonName: 'front' }), {}, 401],
    ['headers with underscores', clientOf(proxyCA, { commonName: 'front' }), { x_remote_user: 'admin' }, 401],
    ['only a group', clientOf(proxyCA, { commonName: 'front' }), { 'x-remote-group': 'system:masters' }, 401],
    ['a certificate for users', clientOf(clientCA), { 'x-remote-user': 'admin' }, 'jane'],
    [
      'a certificate for users with the name of a proxy',
      clientOf(clientCA, { commonName: 'front' }),
      { 'x-remote-user': 'admin' },
      'front',
    ],
    ['a certificate of a stranger', clientOf(otherCA, { commonName: 'front' }), { 'x-remote-user': 'admin' }, 401],
  ])('headers are not believed from a client with %s', async (_, pair, headers, want) => {
    const seen = await ask(pair, { ...headers, 'X-Remote-Extra-a': 'b' });
    if (typeof seen === 'number') expect(seen).toBe(want);
    else {
      expect(seen.user).toMatchObject({
        name: want,
        extra: { 'authentication.kubernetes.io/credential-id': [expect.any(String)] },
      });
      expect(seen.headers.filter((name) => name.startsWith('x-remote'))).toEqual([]);
    }
  });

  test('a changed file is in force at once, also on open connections', async () => {
    const before = clientOf(clientCA);
    const after = clientOf(otherCA);
    const session = openSession(serving, before);
    const status = async (): Promise<unknown> => {
      const stream = session.request({ ':path': path }).resume();
      return new Promise((resolve) => stream.on('response', (headers) => resolve(headers[':status'])));
    };
    expect(await status()).toBe(200);
    expect(await ask(after)).toBe(401);
    await writeFile(clientCaFile, otherCA.certificate);
    await serving.authentication.refresh();
    expect(await status()).toBe(401);
    expect(await ask(before)).toBe(401);
    expect(await userOf(after)).toMatchObject({ name: 'jane' });
    await writeFile(clientCaFile, 'nothing');
    await serving.authentication.refresh();
    expect(await userOf(after)).toMatchObject({ name: 'jane' });
    session.destroy();
  });
});

describe('a file of CAs is refused', () => {
  test.each<[string, string]>([
    ['without a certificate', 'no certificate'],
    ['with a certificate that cannot be read', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('%s', async (_, text) => {
    const folder = await mkdtemp(join(tmpdir(), 'ca-'));
    const clientCaFile = join(folder, 'ca.pem');
    await writeFile(clientCaFile, text);
    await expect(startTestServing(() => undefined, { clientCaFile })).rejects.toThrow('--client-ca-file: ');
    await rm(folder, { recursive: true });
  });

  test.each<[object, string]>([
    [{ requestHeaderUsernameHeaders: ['X-Remote-User', ' '] }, 'empty value in "requestheader-username-headers"'],
    [{ requestHeaderUidHeaders: ['X-Uid'] }, '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header'],
  ])('header names %j are refused', async (options, why) => {
    await expect(startTestServing(() => undefined, options)).rejects.toThrow(why);
  });
});
