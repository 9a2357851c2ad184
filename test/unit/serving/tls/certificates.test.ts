import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ApiMiddleware } from '../../../../runtime/http/context.ts';
import { respondObject } from '../../../../runtime/http/respond.ts';
import type { ServerOptions } from '../../../../runtime/options/server-options.ts';
import { issueCertificate, type KeyPair } from '../../../../runtime/serving/x509-certificate.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { startTestServing, type TestServing } from '../../../support/test-serving.ts';

const endpoints: ApiMiddleware = (ctx) => respondObject(ctx, 200, ctx.state.user);

function issue(commonName: string, names: readonly string[] = []): KeyPair {
  const from = Date.UTC(2025, 0, 1);
  return issueCertificate({ commonName, names, use: 'server', from, until: from + 10 * 365 * 24 * 3600_000 });
}

interface Handshake {
  /** The common name of the server's certificate. */
  readonly name: string;
  readonly protocol: string | null;
  readonly cipher: string;
}

describe('the certificates of a server', () => {
  let folder: string;
  let serving: TestServing | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-tls-'));
    serving = undefined;
  });

  afterEach(async () => {
    await serving?.gracefulShutdown.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function store(name: string, { certificate, key }: KeyPair): Promise<readonly [string, string]> {
    const paths = [join(folder, `${name}.crt`), join(folder, `${name}.key`)] as const;
    await writeFile(paths[0], certificate);
    await writeFile(paths[1], key);
    return paths;
  }

  async function open(options: ServerOptions): Promise<TestServing> {
    serving = await startTestServing(endpoints, { clock: new ManualClock(), ...options });
    return serving;
  }

  function handshake({ url }: TestServing, options: ConnectionOptions = {}): Promise<Handshake> {
    const { hostname: host, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket: TLSSocket = connect({ host, port: Number(port), rejectUnauthorized: false, ...options }, () => {
        const name = String(socket.getPeerCertificate().subject.CN);
        resolve({ name, protocol: socket.getProtocol(), cipher: socket.getCipher().standardName });
        socket.destroy();
      });
      socket.on('error', reject);
    });
  }

  test('are read again when they have changed', async () => {
    const [tlsCertFile, tlsPrivateKeyFile] = await store('a', issue('first'));
    const opened = await open({ tlsCertFile, tlsPrivateKeyFile });
    expect((await handshake(opened)).name).toBe('first');
    await store('a', issue('second'));
    await opened.refreshCertificates();
    expect((await handshake(opened)).name).toBe('second');
  });

  test('stay as they were while certificate and key do not match', async () => {
    const [tlsCertFile, tlsPrivateKeyFile] = await store('a', issue('first'));
    const opened = await open({ tlsCertFile, tlsPrivateKeyFile });
    const second = issue('second');
    await writeFile(tlsCertFile, second.certificate);
    await opened.refreshCertificates();
    expect((await handshake(opened)).name).toBe('first');
    await writeFile(tlsCertFile, 'no certificate');
    await opened.refreshCertificates();
    expect((await handshake(opened)).name).toBe('first');
    await store('a', second);
    await opened.refreshCertificates();
    expect((await handshake(opened)).name).toBe('second');
  });

  test('are chosen by the name that the client asks for', async () => {
    const files = async (name: string, names?: string[]): Promise<string> => (await store(name, issue(name, names))).join(',');
    const options = {
      tlsSNICertKeys: [
        `${await files('wild')}:*.example.com`,
        await files('exact.example.com', ['alt.example.com', '10.0.0.1']),
        `${await files('explicit')}: alt.example.com , other`,
        await files('later', ['exact.example.com']),
      ],
    };
    const opened = await open(options);
    const names = [
      'any.example.com',
      'a.b.example.com',
      'exact.example.com',
      'EXACT.example.com',
      'alt.example.com',
      'other',
      'later',
      'unknown',
      undefined,
    ];
    const served = await Promise.all(names.map(async (servername) => (await handshake(opened, { servername })).name));
    expect(served).toEqual([
      'wild',
      'kube-apiserver',
      'exact.example.com',
      'exact.example.com',
      'explicit',
      'explicit',
      'later',
      'kube-apiserver',
      'kube-apiserver',
    ]);
    await store('wild', issue('wilder'));
    await opened.refreshCertificates();
    expect((await handshake(opened, { servername: 'any.example.com' })).name).toBe('wilder');
  });

  test('for a name accept the same client certificates', async () => {
    const pair = await store('named', issue('named.example.com', ['named.example.com']));
    const opened = await open({ tlsSNICertKeys: [pair.join(',')] });
    const { request } = await import('node:https');
    const { hostname, port } = new URL(opened.url);
    const body = await new Promise<string>((resolve, reject) => {
      const options = { hostname, port, servername: 'named.example.com', rejectUnauthorized: false, path: '/x' };
      const { certificate: cert, key } = opened.admin;
      request({ ...options, cert, key }, (response) => {
        let text = '';
        response.on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body).name).toBe('kubernetes-admin');
  });

  test.each<[ServerOptions, string]>([
    [{ tlsCertFile: '/none' }, '--tls-cert-file and --tls-private-key-file must be set together'],
    [{ tlsCertFile: '/none', tlsPrivateKeyFile: '/none' }, '--tls-cert-file, --tls-private-key-file: ENOENT'],
    [{ tlsSNICertKeys: ['/none,/none'] }, 'failed to load SNI cert and key: ENOENT'],
    [{ tlsSNICertKeys: ['/none'] }, 'expected comma separated certificate and key file paths'],
    [{ tlsSNICertKeys: ['a,b:'] }, 'empty names list is not allowed'],
    [{ tlsMinVersion: 'TLS12' }, 'unknown tls version "TLS12"'],
    [{ tlsCipherSuites: ['TLS_NULL'] }, "Cipher suite TLS_NULL not supported or doesn't exist"],
    [{ tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] }, "Cipher suite TLS_RSA_WITH_RC4_128_SHA not supported or doesn't exist"],
  ])('cannot be used with %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });
});

describe('TLS', () => {
  let serving: TestServing | undefined;

  afterEach(async () => {
    await serving?.gracefulShutdown.close();
    serving = undefined;
  });

  async function negotiated(options: ServerOptions, client: ConnectionOptions): Promise<string> {
    serving ??= await startTestServing(endpoints, options);
    const { hostname: host, port } = new URL(serving.url);
    return new Promise((resolve) => {
      const socket: TLSSocket = connect({ host, port: Number(port), rejectUnauthorized: false, ...client }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.on('error', () => resolve('refused'));
    });
  }

  const tls12: ConnectionOptions = { maxVersion: 'TLSv1.2' };
  const tls11: ConnectionOptions = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' };
  const one = 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384';

  test.each<[string, ServerOptions, ConnectionOptions, string]>([
    ['has version 1.3', {}, {}, 'TLSv1.3 TLS_AES_128_GCM_SHA256'],
    ['has version 1.2', {}, tls12, 'TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
    ['does not have version 1.1', {}, tls11, 'refused'],
    ['has version 1.1 on request', { tlsMinVersion: 'VersionTLS11' }, tls11, 'TLSv1.1 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA'],
    ['can be version 1.3 only', { tlsMinVersion: 'VersionTLS13' }, tls12, 'refused'],
    ['has the chosen cipher suites', { tlsCipherSuites: [one] }, tls12, `TLSv1.2 ${one}`],
    ['has no others', { tlsCipherSuites: [one] }, { ...tls12, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, 'refused'],
    ['has all of version 1.3 with any choice', { tlsCipherSuites: [one] }, {}, 'TLSv1.3 TLS_AES_128_GCM_SHA256'],
    ['has no suites without authentication of each session', {}, { ...tls12, ciphers: 'AES128-GCM-SHA256' }, 'refused'],
  ])('%s', async (_, options, client, result) => {
    expect(await negotiated(options, client)).toBe(result);
  });
});
