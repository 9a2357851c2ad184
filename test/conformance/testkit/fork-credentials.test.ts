import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer, ServerOptions } from '../../../runtime/index.ts';
import type { KeyPair } from '../../../runtime/serving/x509-certificate.ts';
import { makeCertificateRequest } from '../../support/certificate-request.ts';
import { HttpClient } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const secrets = '/api/v1/namespaces/default/secrets';
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

async function ask(of: RunningServer, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await of.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

/** Returns a token from a TokenRequest. */
const minted = async (of: RunningServer): Promise<string> => (await ask(of, `${accounts}/robot/token`, { spec: {} })).json.status.token;

/** Returns the token of a Secret, which a controller writes. */
async function ofSecret(of: RunningServer, name: string): Promise<string> {
  const metadata = { name, annotations: { 'kubernetes.io/service-account.name': 'robot' } };
  await ask(of, secrets, { metadata, type: 'kubernetes.io/service-account-token' });
  let token = '';
  await of.eventually({ apiVersion: 'v1', kind: 'Secret', namespace: 'default', name }, (secret) => {
    const { data } = (secret ?? {}) as { data?: { token?: string } };
    token = data?.token ?? '';
    return token !== '';
  });
  return Buffer.from(token, 'base64').toString();
}

/** Reports whether a server accepts a token. */
const accepts = async (of: RunningServer, token: string): Promise<boolean> => {
  const { status } = await ask(of, whoAmI, {}, token);
  expect([201, 401]).toContain(status);
  return status === 201;
};

const cases: readonly (readonly [name: string, options: (folder: string) => ServerOptions])[] = [
  ['a key of the process', () => ({})],
  ['a seed', () => ({ seed: 1, clock: 'manual' })],
  ['the group of tests and a seed', () => ({ seed: 1, clock: 'manual', testControls: true })],
  ['a folder of keys', (folder) => ({ certDir: join(folder, 'certs') })],
  [
    'a signing key of a file',
    (folder) => ({
      serviceAccountSigningKeyFile: join(folder, 'sa.key'),
      serviceAccountKeyFiles: [join(folder, 'sa.pub')],
    }),
  ],
];

describe.each(cases)('tokens of forks of a server with %s', (name, options) => {
  const isFixed = name === 'a signing key of a file';
  let folder: string;
  let origin: RunningServer;
  const opened: RunningServer[] = [];

  const fork = async (of: RunningServer, more: object = {}): Promise<RunningServer> => {
    const made = await of.fork({ listen: false, ...more });
    opened.push(made);
    return made;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fork-credentials-'));
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    await writeFile(join(folder, 'sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }));
    await writeFile(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
    origin = await startTestServer({ controllers: ['*', 'serviceaccount-token-controller'], ...options(folder) });
    opened.push(origin);
    expect((await ask(origin, accounts, { metadata: { name: 'robot' } })).status).toBe(201);
  });
  afterAll(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await rm(folder, { recursive: true, force: true });
  });

  test('a token is valid where it was made, and nowhere else', async () => {
    const first = await fork(origin);
    const second = await fork(origin);
    const servers = [origin, first, second];
    for (const maker of servers) {
      const token = await minted(maker);
      const valid = await Promise.all(servers.map((one) => accepts(one, token)));
      expect(valid).toEqual(servers.map((one) => one === maker));
    }
  });

  test('a token of a Secret is valid where its Secret is', async () => {
    const before = await ofSecret(origin, 'before');
    const made = await fork(origin);
    const [here, there] = [await ofSecret(origin, 'after'), await ofSecret(made, 'after')];
    for (const [token, valid] of [
      [before, [true, true]],
      [here, [true, false]],
      [there, [false, true]],
    ] as const) {
      expect([await accepts(origin, token), await accepts(made, token)]).toEqual(valid);
    }
  });

  test('a token that is older than a fork is valid there, unless its key is that of a file', async () => {
    const token = await minted(origin);
    const made = await fork(origin);
    const ofMade = await minted(made);
    const grandchild = await fork(made);
    const ofGrandchild = await minted(grandchild);
    const servers = [origin, made, grandchild];
    const validity = (one: string) => Promise.all(servers.map((server) => accepts(server, one)));
    expect(await validity(token)).toEqual([true, !isFixed, !isFixed]);
    expect(await validity(ofMade)).toEqual([false, true, true]);
    expect(await validity(ofGrandchild)).toEqual([false, false, true]);
    expect(await validity(await minted(origin))).toEqual([true, false, false]);
    expect(await validity(await minted(made))).toEqual([false, true, false]);
  });

  test('a review of a token agrees', async () => {
    const made = await fork(origin);
    const token = await minted(made);
    const review = async (of: RunningServer): Promise<boolean> =>
      (await ask(of, '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } })).json.status.authenticated ?? false;
    expect([await review(origin), await review(made)]).toEqual([false, true]);
  });
});

describe('client certificates of forks', () => {
  const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const opened: RunningServer[] = [];
  let count = 0;

  beforeAll(async () => {
    opened.push(await startTestServer());
  });
  afterAll(() => Promise.all(opened.map((one) => one.close())));

  const fork = async (of: RunningServer): Promise<RunningServer> => {
    const made = await of.fork();
    opened.push(made);
    return made;
  };

  /** Returns a certificate of the user jane, signed by a server. */
  async function signed(of: RunningServer): Promise<KeyPair> {
    const { request, key } = makeCertificateRequest({ commonName: 'jane' });
    const name = `jane-${count++}`;
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    const http = HttpClient.for(of);
    await http.send('POST', requests, JSON.stringify({ metadata: { name }, spec }), 'application/json');
    const conditions = [{ type: 'Approved', status: 'True', reason: 'ByTest' }];
    const approval = JSON.stringify({ status: { conditions } });
    await http.send('PATCH', `${requests}/${name}/approval`, approval, 'application/merge-patch+json');
    http.close();
    let certificate = '';
    await of.eventually({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', name }, (object) => {
      certificate = ((object ?? {}) as { status?: { certificate?: string } }).status?.certificate ?? '';
      return certificate !== '';
    });
    return { certificate: Buffer.from(certificate, 'base64').toString(), key };
  }

  async function knows(of: RunningServer, { certificate, key }: KeyPair): Promise<boolean> {
    const { url, caCertificate } = of;
    const http = HttpClient.for({ url, caCertificate, clientCertificate: certificate, clientKey: key });
    const { json, status } = await http.send('POST', whoAmI, '{}', 'application/json');
    http.close();
    return status === 201 && json.status.userInfo.username === 'jane';
  }

  test('are valid where they were signed, and in forks that began later', async () => {
    const [origin] = opened;
    const before = await signed(origin);
    const made = await fork(origin);
    const ofMade = await signed(made);
    const ofOrigin = await signed(origin);
    const grandchild = await fork(made);
    const ofGrandchild = await signed(grandchild);
    const servers = [origin, made, grandchild];
    const validity = (pair: KeyPair) => Promise.all(servers.map((one) => knows(one, pair)));
    expect(await validity(before)).toEqual([true, true, true]);
    expect(await validity(ofOrigin)).toEqual([true, false, false]);
    expect(await validity(ofMade)).toEqual([false, true, true]);
    expect(await validity(ofGrandchild)).toEqual([false, false, true]);
    expect(await validity(await signed(made))).toEqual([false, true, false]);
  });

  test('of the administrator are the same', async () => {
    const [origin] = opened;
    const made = await fork(origin);
    expect([made.clientCertificate, made.caCertificate]).toEqual([origin.clientCertificate, origin.caCertificate]);
    const http = HttpClient.for(made);
    expect((await http.get('/api/v1/nodes')).status).toBe(200);
    http.close();
  });
});
