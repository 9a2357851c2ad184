import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Authorizer } from '../../../runtime/authorization/authorizer.ts';
import { startServer } from '../../../runtime/index.ts';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { type MadeRequest, makeCertificateRequest, type RequestFacts } from '../../support/certificate-request.ts';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { TestServer } from '../../support/test-server.ts';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const clientSigner = 'kubernetes.io/kube-apiserver-client';
const kubeletSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
const clientUsages = ['digital signature', 'key encipherment', 'client auth'];

let refused: readonly string[] = [];
/** Refuses a verb on signers, or a subresource, as a test chooses. */
const authorizer: Authorizer = {
  authorize: ({ verb, resource, subresource, name }) => {
    const asked = resource === 'signers' ? `${verb} ${name}` : subresource;
    return { decision: refused.includes(asked) ? 'deny' : 'allow', reason: '' };
  },
};

describe('requests for certificates', () => {
  const suite = TestServer.forSuite({ authorizer });
  let count = 0;

  const create = async (made: MadeRequest, spec: object = {}): Promise<{ readonly name: string; readonly response: HttpResponse }> => {
    count += 1;
    const name = `request-${count}`;
    const body = {
      metadata: { name },
      spec: { request: made.request, signerName: clientSigner, usages: clientUsages, ...spec },
    };
    return { name, response: await suite.http.send('POST', path, JSON.stringify(body), 'application/json') };
  };
  const decide = (name: string, type: 'Approved' | 'Denied') => {
    const status = { conditions: [{ type, status: 'True', reason: 'ByTest', message: 'so' }] };
    return suite.http.send('PATCH', `${path}/${name}/approval`, JSON.stringify({ status }), 'application/merge-patch+json');
  };
  /** Waits until the request has a certificate or failed, and returns its status. */
  const decided = async (name: string): Promise<{ certificate?: string; conditions: { type: string; message: string }[] }> => {
    for (;;) {
      const { status } = (await suite.http.get(`${path}/${name}`)).json;
      const isDone = status.certificate ?? status.conditions?.some(({ type }: { type: string }) => type === 'Failed');
      if (isDone) return status;
      await new Promise(setImmediate);
    }
  };
  const certificateOf = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();
  /** Returns the user of a certificate. */
  const whoami = async (certificate: string, key: string) => {
    const { url, caCertificate } = suite.server;
    const client = HttpClient.for({ url, caCertificate, clientCertificate: certificate, clientKey: key });
    const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { json } = await client.send('POST', review, '{}', 'application/json');
    client.close();
    return json.status.userInfo;
  };

  test.each(['ec', 'rsa', 'ed25519'] as const)('that are approved yield a certificate that authenticates: %s', async (keyType) => {
    const made = makeCertificateRequest({ commonName: 'jane', organizations: ['dev', 'ops'], keyType });
    const { name } = await create(made, { expirationSeconds: 3600 });
    await decide(name, 'Approved');
    const certificate = certificateOf((await decided(name)).certificate);
    expect(await whoami(certificate, made.key)).toMatchObject({
      username: 'jane',
      groups: expect.arrayContaining(['dev', 'ops', 'system:authenticated']),
    });
    const { validFrom, validTo } = new X509Certificate(certificate);
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(65 * 60_000);
  });

  test('cannot smuggle a uid, another name or authority into a certificate', async () => {
    const made = makeCertificateRequest({
      commonName: 'jane',
      others: [
        ['1.3.6.1.4.1.57683.2', 'uid-of-somebody'],
        ['2.5.4.3', 'system:admin'],
      ],
      ca: true,
    });
    const { name } = await create(made);
    await decide(name, 'Approved');
    const certificate = certificateOf((await decided(name)).certificate);
    expect(new X509Certificate(certificate).ca).toBe(false);
    expect(await whoami(certificate, made.key)).toMatchObject({ username: 'jane', groups: ['system:authenticated'] });
    expect((await whoami(certificate, made.key)).uid).toBeUndefined();
  });

  test('that are denied get no certificate, and cannot be approved any more', async () => {
    const { name } = await create(makeCertificateRequest({ commonName: 'jane' }));
    await decide(name, 'Denied');
    const approved = await decide(name, 'Approved');
    expect(approved.status).toBe(422);
    // signed after the denial of the other
    const later = await create(makeCertificateRequest({ commonName: 'jane' }));
    await decide(later.name, 'Approved');
    await decided(later.name);
    expect((await suite.http.get(`${path}/${name}`)).json.status.certificate).toBeUndefined();
  });

  test.each<[string, RequestFacts, object]>([
    [
      'subject organization is not system:nodes',
      { commonName: 'system:node:a', organizations: ['system:masters'] },
      { signerName: kubeletSigner },
    ],
    [
      'subject common name does not begin with system:node:',
      { commonName: 'admin', organizations: ['system:nodes'] },
      { signerName: kubeletSigner },
    ],
    [
      'DNS or IP subjectAltName is required',
      { commonName: 'system:node:a', organizations: ['system:nodes'] },
      { signerName: 'kubernetes.io/kubelet-serving' },
    ],
    ['invalid usage for client certificate: cert sign', { commonName: 'a' }, { usages: [...clientUsages, 'cert sign'] }],
  ])('fail if their signer does not sign such: %s', async (message, facts, spec) => {
    const { name } = await create(makeCertificateRequest(facts), spec);
    await decide(name, 'Approved');
    const { certificate, conditions } = await decided(name);
    expect(certificate).toBeUndefined();
    expect(conditions.find(({ type }) => type === 'Failed')).toMatchObject({
      status: 'True',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime: expect.any(String),
    });
  });

  test.each([
    ['alone', { organizations: ['system:masters'] }],
    ['beside others', { commonName: 'jane', organizations: ['dev', 'system:masters'] }],
  ])('for a client in system:masters are refused: %s', async (_, facts) => {
    const { response } = await create(makeCertificateRequest(facts));
    expect([response.status, response.json.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "request-${count}" is forbidden: use of ${clientSigner} signer with system:masters group is not allowed`,
    ]);
  });

  test('of kubelets for themselves are approved, if the requester may', async () => {
    const node = { commonName: 'system:node:a', organizations: ['system:nodes'] };
    const spec = { signerName: kubeletSigner };
    refused = ['selfnodeclient', 'nodeclient'];
    const pending = await create(makeCertificateRequest(node), spec);
    refused = [];
    const made = makeCertificateRequest(node);
    const { name } = await create(made, spec);
    const { certificate, conditions } = await decided(name);
    expect(conditions).toMatchObject([
      {
        type: 'Approved',
        reason: 'AutoApproved',
        message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
      },
    ]);
    expect(await whoami(certificateOf(certificate), made.key)).toMatchObject({ username: 'system:node:a' });
    expect((await suite.http.get(`${path}/${pending.name}`)).json.status).toEqual({});
  });

  test('need permission for their signer to be approved or signed', async () => {
    const { name } = await create(makeCertificateRequest({ commonName: 'jane' }), { signerName: 'example.com/mine' });
    refused = ['approve example.com/mine', 'approve example.com/*', 'sign example.com/mine', 'sign example.com/*'];
    const problem = (verb: string) =>
      `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: user not permitted to ${verb} requests with signerName "example.com/mine"`;
    expect((await decide(name, 'Approved')).json.message).toBe(problem('approve'));
    const { certificate } = issueCertificate({ commonName: 'x', use: 'client', from: 0, until: 1e12 });
    const sign = () =>
      suite.http.send(
        'PATCH',
        `${path}/${name}/status`,
        JSON.stringify({ status: { certificate: Buffer.from(certificate).toString('base64') } }),
        'application/merge-patch+json',
      );
    expect((await sign()).json.message).toBe(problem('sign'));
    refused = ['approve example.com/mine', 'sign example.com/mine'];
    expect((await decide(name, 'Approved')).status).toBe(200);
    expect((await sign()).status).toBe(200);
    refused = [];
  });

  test.each([
    ['spec.usages[0]: Unsupported value: "fly": supported values: "any", "cert sign"', { usages: ['fly'] }],
    ['spec.usages[1]: Duplicate value: "client auth"', { usages: ['client auth', 'client auth'] }],
    ['spec.usages: Required value', { usages: [] }],
    [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      { signerName: 'kubernetes.io/legacy-unknown' },
    ],
    [
      `spec.signerName: Invalid value: "a/b/c": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      { signerName: 'a/b/c' },
    ],
    ['spec.signerName: Invalid value: "local": should be a domain with at least two segments separated by dots', { signerName: 'local/x' }],
    ['spec.signerName: Invalid value: "Example.com": validating label "Example": ', { signerName: 'Example.com/x' }],
    ['spec.signerName: Invalid value: "X": validating label "X": ', { signerName: 'example.com/X' }],
    ['spec.expirationSeconds: Invalid value: 599: may not specify a duration less than', { expirationSeconds: 599 }],
    ['PEM block type must be CERTIFICATE REQUEST', { request: Buffer.from('x').toString('base64') }],
  ])('are refused: %s', async (message, spec) => {
    const { response } = await create(makeCertificateRequest({ commonName: 'jane' }), spec);
    expect(response.status).toBe(422);
    expect(response.json.message).toContain(message);
  });

  test.each([
    ['only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"', 'CERTIFICATE REQUEST'],
    ['x509: malformed certificate', 'CERTIFICATE'],
    ['must contain at least one CERTIFICATE PEM block', undefined],
  ])('take no status with other than certificates: %s', async (problem, type) => {
    const { name } = await create(makeCertificateRequest({ commonName: 'jane' }), { signerName: 'example.com/mine' });
    const text = type === undefined ? 'no PEM' : `-----BEGIN ${type}-----\naGk=\n-----END ${type}-----\n`;
    const body = JSON.stringify({ status: { certificate: Buffer.from(text).toString('base64') } });
    const { status, json } = await suite.http.send('PATCH', `${path}/${name}/status`, body, 'application/merge-patch+json');
    expect(status).toBe(422);
    expect(json.message).toContain(`status.certificate: Invalid value: "<certificate data>": ${problem}`);
  });
});

describe('the signing CA', () => {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });
  const write = async (name: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'signing-'));
    folders.push(folder);
    const pair = issueCertificate({ commonName: name, use: 'ca', from: Date.now() - 1e6, until: Date.now() + 1e9 });
    const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
    await Promise.all([writeFile(certificate, pair.certificate), writeFile(key, pair.key)]);
    return { certificate, key };
  };

  test('can be one of its own for each signer', async () => {
    const { certificate, key } = await write('another-ca');
    const server = await startServer({
      clusterSigningKubeApiserverClientCertFile: certificate,
      clusterSigningKubeApiserverClientKeyFile: key,
    });
    const client = HttpClient.for(server);
    const spec = {
      request: makeCertificateRequest({ commonName: 'jane' }).request,
      signerName: clientSigner,
      usages: clientUsages,
    };
    await client.send('POST', path, JSON.stringify({ metadata: { name: 'a' }, spec }), 'application/json');
    const status = { conditions: [{ type: 'Approved', status: 'True' }] };
    await client.send('PATCH', `${path}/a/approval`, JSON.stringify({ status }), 'application/merge-patch+json');
    let issued: string | undefined;
    while (issued === undefined) issued = (await client.get(`${path}/a`)).json.status.certificate;
    expect(new X509Certificate(Buffer.from(issued, 'base64')).issuer).toBe('CN=another-ca');
    client.close();
    await server.close();
  });

  test.each([
    [
      'cannot specify --cluster-signing-{cert,key}-file and other --cluster-signing-*-file flags at the same time',
      { clusterSigningCertFile: '/a', clusterSigningKubeletClientKeyFile: '/b' },
    ],
    ['--cluster-signing-cert-file and --cluster-signing-key-file must be set together', { clusterSigningCertFile: '/a' }],
    [
      '--cluster-signing-cert-file, --cluster-signing-key-file: ENOENT',
      { clusterSigningCertFile: '/nowhere/a', clusterSigningKeyFile: '/nowhere/b' },
    ],
  ])('is checked at the start: %s', async (message, options) => {
    await expect(startServer(options)).rejects.toThrow(message);
  });
});
