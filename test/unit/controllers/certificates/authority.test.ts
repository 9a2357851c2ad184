import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { subjectAttribute } from '../../../../runtime/authentication/x509/x509.ts';
import { isOutdated } from '../../../../runtime/controllers/certificates/csr-cleaner-controller.ts';
import { requestRules, type SignerName, signerNames } from '../../../../runtime/kinds/certificates.k8s.io/signer-rules.ts';
import { CertificateAuthority } from '../../../../runtime/machinery/x509/authority.ts';
import { parseCertificateRequest } from '../../../../runtime/machinery/x509/certificate-request.ts';
import { issueCertificate } from '../../../../runtime/serving/x509-certificate.ts';
import { makeCertificateRequest, type RequestFacts } from '../../../support/certificate-request.ts';

const now = Date.UTC(2026, 0, 1);
const hour = 3600_000;
const client = ['digital signature', 'key encipherment', 'client auth'];
const ca = issueCertificate({ commonName: 'ca', use: 'ca', from: now - hour, until: now + 1000 * hour });
const authority = new CertificateAuthority(ca);
const parse = (facts: RequestFacts) => parseCertificateRequest(makeCertificateRequest(facts).request);
const sign = (facts: RequestFacts, terms: { usages?: readonly string[]; ttl?: number } = {}) =>
  new X509Certificate(authority.sign(parse(facts), { usages: client, now, ttl: 100 * hour, ...terms }));
const at = (ms: number) => new Date(ms).toISOString();
const dates = (certificate: X509Certificate) => [certificate.validFrom, certificate.validTo].map((date) => at(Date.parse(date)));

describe('a certificate authority', () => {
  test.each(['ec', 'rsa', 'ed25519'] as const)('signs the key of a request: %s', (keyType) => {
    const { request, key } = makeCertificateRequest({ commonName: 'jane', keyType });
    const pem = authority.sign(parseCertificateRequest(request), { usages: client, now, ttl: hour });
    const certificate = new X509Certificate(pem);
    const issuer = new X509Certificate(ca.certificate);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.publicKey.equals(createPublicKey(key))).toBe(true);
  });

  test.each(['rsa', 'ed25519', 'P-384', 'P-521'])('signs with any key of its own: %s', (kind) => {
    const { privateKey, publicKey } =
      kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : kind === 'ed25519'
          ? generateKeyPairSync('ed25519')
          : generateKeyPairSync('ec', { namedCurve: kind });
    const { request } = makeCertificateRequest({ commonName: 'ca' });
    const parsed = { ...parseCertificateRequest(request) };
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    // a certificate of that key, signed by the other authority
    const info = publicKey.export({ type: 'spki', format: 'der' });
    const forKey = { ...parsed, publicKeyInfo: info };
    const certificate = authority.sign(forKey, { usages: ['cert sign'], now, ttl: 100 * hour });
    const own = new CertificateAuthority({ certificate, key });
    const signed = new X509Certificate(own.sign(parse({ commonName: 'jane' }), { usages: client, now, ttl: hour }));
    expect(signed.verify(publicKey)).toBe(true);
  });

  test('takes from the subject what Go knows of it, and the last of several common names', () => {
    const certificate = sign({
      commonName: 'jane',
      organizations: ['dev', 'ops, "x"', 'équipe'],
      others: [
        ['2.5.4.3', 'system:admin'],
        ['1.3.6.1.4.1.57683.2', 'a uid'],
        ['2.5.4.6', 'DE'],
      ],
    });
    expect(subjectAttribute(certificate, 'CN')).toEqual(['jane']);
    expect([...subjectAttribute(certificate, 'O')].sort()).toEqual(['dev', 'ops, "x"', 'équipe']);
    expect(subjectAttribute(certificate, '1.3.6.1.4.1.57683.2')).toEqual([]);
    expect(subjectAttribute(certificate, 'C')).toEqual(['DE']);
  });

  test('never makes a CA, whatever a request asks for', () => {
    const certificate = sign({ commonName: 'evil', ca: true });
    expect(certificate.ca).toBe(false);
    expect(certificate.raw.toString('hex')).toContain('0603551d130101ff04023000');
  });

  test('takes alternative names of every type', () => {
    const certificate = sign({
      names: [
        [0x86, 'spiffe://a/b'],
        [0x87, Buffer.from([10, 0, 0, 1])],
        [0x81, 'a@b.c'],
        [0x82, 'a.example.com'],
        [0x87, Buffer.alloc(16, 1)],
      ],
    });
    expect(certificate.subjectAltName).toBe(
      'DNS:a.example.com, email:a@b.c, IP Address:10.0.0.1, IP Address:101:101:101:101:101:101:101:101, URI:spiffe://a/b',
    );
  });

  test('sets the usages that were asked for', () => {
    const certificate = sign({ commonName: 'a' }, { usages: ['server auth', 'signing', 'crl sign', 'any', 'decipher only'] });
    expect(certificate.keyUsage).toEqual(['2.5.29.37.0', '1.3.6.1.5.5.7.3.1']);
    expect(certificate.raw.toString('hex')).toContain('0603551d0f0101ff04050303078280');
    expect(() => sign({ commonName: 'a' }, { usages: ['client auth', 'fly'] })).toThrow('unrecognized usage values: ["fly"]');
  });

  test('backdates, shortens long certificates by as much, and ends with its own', () => {
    const start = at(now - 300_000);
    expect(dates(sign({}, { ttl: hour }))).toEqual([start, at(now + hour)]);
    expect(dates(sign({}, { ttl: 10 * hour }))).toEqual([start, at(now + 10 * hour - 300_000)]);
    expect(dates(sign({}, { ttl: 5000 * hour }))).toEqual([start, at(now + 1000 * hour)]);
    const late = { usages: client, now: now + 1001 * hour, ttl: hour };
    expect(() => authority.sign(parse({}), late)).toThrow('the signer has expired: NotAfter=');
  });

  test('refuses a request that another key has signed', () => {
    const [one, two] = [parse({ commonName: 'a' }), parse({ commonName: 'a' })];
    expect(() => authority.sign({ ...one, publicKey: two.publicKey }, { usages: client, now, ttl: hour })).toThrow(
      'unable to verify certificate request signature: x509: ECDSA verification failure',
    );
  });
});

describe('the rules of a signer', () => {
  const node = { commonName: 'system:node:a', organizations: ['system:nodes'] };
  const dns = [0x82, 'a'] as const;
  const server = ['digital signature', 'key encipherment', 'server auth'];
  test.each<[keyof typeof signerNames, RequestFacts, readonly string[], string | undefined]>([
    ['kubeletClient', node, client, undefined],
    ['kubeletClient', node, ['client auth', 'digital signature'], undefined],
    ['kubeletClient', { ...node, organizations: ['system:masters'] }, client, 'subject organization is not system:nodes'],
    ['kubeletClient', { ...node, organizations: ['system:nodes', 'system:masters'] }, client, 'subject organization is not system:nodes'],
    ['kubeletClient', { ...node, commonName: 'admin' }, client, 'subject common name does not begin with system:node:'],
    ['kubeletClient', { ...node, others: [['2.5.4.3', 'admin']] }, client, undefined],
    ['kubeletClient', { ...node, names: [dns] }, client, 'DNS subjectAltNames are not allowed'],
    ['kubeletClient', { ...node, names: [[0x81, 'a@b']] }, client, 'Email subjectAltNames are not allowed'],
    ['kubeletClient', { ...node, names: [[0x87, Buffer.alloc(4)]] }, client, 'IP subjectAltNames are not allowed'],
    ['kubeletClient', { ...node, names: [[0x86, 'a:b']] }, client, 'URI subjectAltNames are not allowed'],
    ['kubeletClient', node, [...client, 'server auth'], 'usages did not match [client auth digital signature key encipherment]'],
    ['kubeletServing', { ...node, names: [dns] }, server, undefined],
    ['kubeletServing', node, server, 'DNS or IP subjectAltName is required'],
    ['kubeletServing', { ...node, organizations: ['system:masters'], names: [dns] }, server, 'subject organization is not system:nodes'],
    ['kubeletServing', { ...node, names: [dns] }, client, 'usages did not match [digital signature key encipherment server auth]'],
    ['kubeAPIServerClient', {}, client, undefined],
    ['kubeAPIServerClient', {}, ['server auth'], 'invalid usage for client certificate: server auth'],
    ['kubeAPIServerClient', {}, ['digital signature'], 'missing required usage for client certificate: client auth'],
    ['kubeAPIServerClient', {}, ['client auth', 'cert sign'], 'invalid usage for client certificate: cert sign'],
    ['legacyUnknown', { organizations: ['anything'] }, ['cert sign'], undefined],
  ])('%s, %j, %j', (signer, facts, usages, want) => {
    const name: SignerName = signerNames[signer];
    expect(requestRules[name](parse(facts), usages)).toBe(want);
  });
});

describe('a request is outdated', () => {
  const request = (status: object) => ({ metadata: { creationTimestamp: at(now) }, spec: {}, status }) as Parameters<typeof isOutdated>[0];
  const condition = (type: string) => ({ type, status: 'True', lastUpdateTime: at(now) });
  const certificate = Buffer.from(authority.sign(parse({}), { usages: client, now, ttl: hour / 2 })).toString('base64');
  test.each([
    ['pending', {}, 24 * hour],
    ['denied', { conditions: [condition('Denied')] }, hour],
    ['failed', { conditions: [condition('Approved'), condition('Failed')] }, hour],
    ['issued', { conditions: [condition('Approved')], certificate }, hour / 2],
    ['approved, and not issued', { conditions: [condition('Approved')] }, Number.POSITIVE_INFINITY],
  ])('that is %s', (_, status, age) => {
    const outdated = (ms: number) => isOutdated(request(status), now + ms);
    if (Number.isFinite(age)) expect([outdated(age - 1000), outdated(age + 1000)]).toEqual([false, true]);
    else expect(outdated(10_000 * hour)).toBe(false);
  });
});
