import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { RawTls } from '../../support/raw-tls.ts';

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
type Headers = readonly (readonly [name: string, value: string])[];

/** Identity headers from a client that is neither a front proxy nor permitted to impersonate. */
describe('headers that name a user', () => {
  let folder: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'identity-'));
    const tokenAuthFile = join(folder, 'tokens.csv');
    await writeFile(tokenAuthFile, 'secret,jane,u1\n');
    server = await startServer({ tokenAuthFile, requestHeaderUsernameHeaders: ['X-Remote-User'] });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true });
  });

  const overHttp1 = async (headers: Headers): Promise<string> => {
    const admin = { certificate: server.clientCertificate, key: server.clientKey };
    const connection = await RawTls.open({ ...server, admin }, 'http/1.1', { cert: undefined, key: undefined });
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      'Content-Type: application/json',
      'Content-Length: 2',
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ];
    connection.send(`${lines.join('\r\n')}\r\n\r\n{}`);
    await connection.closed;
    return `${connection.text.slice(9, 12)} ${/"username":"([^"]*)"/.exec(connection.text)?.[1] ?? ''}`;
  };
  const overHttp2 = async (headers: Headers): Promise<string> => {
    const session = connect(server.url, { ca: server.caCertificate });
    const sent: Record<string, string[]> = {};
    for (const [name, value] of headers) {
      const lower = name.toLowerCase();
      sent[lower] = [...(sent[lower] ?? []), value];
    }
    const stream = session.request({
      ...sent,
      ':method': 'POST',
      ':path': path,
      authorization: sent.authorization?.[0],
      'content-type': 'application/json',
    });
    let status = 0;
    stream.on('response', (got) => {
      status = Number(got[':status']);
    });
    stream.end('{}');
    let body = '';
    for await (const part of stream.setEncoding('utf8')) body += part;
    session.close();
    return `${status} ${/"username":"([^"]*)"/.exec(body)?.[1] ?? ''}`;
  };

  const token = ['Authorization', 'Bearer secret'] as const;
  test.each<[string, Headers, string]>([
    ['of a front proxy', [token, ['X-Remote-User', 'admin'], ['X-Remote-Group', 'system:masters']], '201 jane'],
    [
      'of a front proxy, without credentials',
      [
        ['X-Remote-User', 'admin'],
        ['X-Remote-Group', 'system:masters'],
      ],
      '403 ',
    ],
    ['of a front proxy, repeated', [token, ['x-remote-user', 'a'], ['X-REMOTE-USER', 'b']], '201 jane'],
    ['with underscores', [token, ['X_Remote_User', 'admin'], ['Impersonate_User', 'admin']], '201 jane'],
    ['that impersonate', [token, ['Impersonate-User', 'admin']], '403 '],
    ['that impersonate, in another case', [token, ['iMPERSONATE-uSER', 'admin']], '403 '],
    ['that impersonate an administrator', [token, ['Impersonate-User', 'jane'], ['Impersonate-Group', 'system:masters']], '403 '],
    ['that impersonate after an empty one', [token, ['Impersonate-User', ''], ['Impersonate-User', 'admin']], '403 '],
    ['that impersonate only a group', [token, ['Impersonate-Group', 'system:masters']], '400 '],
    ['that impersonate, without credentials', [['Impersonate-User', 'admin']], '403 '],
    [
      'that impersonate, with bad credentials',
      [
        ['Authorization', 'Bearer x'],
        ['Impersonate-User', 'admin'],
      ],
      '401 ',
    ],
  ])('%s are not believed', async (_, headers, want) => {
    expect(await overHttp1(headers)).toBe(want);
    expect(await overHttp2(headers)).toBe(want);
  });
});
