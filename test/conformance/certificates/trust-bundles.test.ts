import { describe, expect, test } from '@jest/globals';
import type { Authorizer } from '../../../runtime/authorization/authorizer.ts';
import { issueCertificate } from '../../../runtime/serving/x509-certificate.ts';
import { TestServer } from '../../support/test-server.ts';

const path = '/apis/certificates.k8s.io/v1beta1/clustertrustbundles';
const from = Date.UTC(2026, 0, 1);
const ca = (commonName: string) => issueCertificate({ commonName, use: 'ca', from, until: from + 1e10 }).certificate;
const [one, two] = [ca('one'), ca('two')];
const leaf = issueCertificate({ commonName: 'leaf', use: 'client', from, until: from + 1e10 }).certificate;

const authorizer: Authorizer = {
  authorize: ({ verb, name }) => ({
    decision: verb === 'attest' && name.startsWith('secret.example.com/') ? 'deny' : 'allow',
    reason: '',
  }),
};

describe('bundles of trust anchors', () => {
  const suite = TestServer.forSuite({ authorizer });
  const create = async (name: string, spec: object) =>
    (await suite.http.send('POST', path, JSON.stringify({ metadata: { name }, spec }), 'application/json')).json;

  test.each([
    ['of a signer', 'example.com:mine:roots', { signerName: 'example.com/mine', trustBundle: `# roots\n${one}${two}` }],
    ['of nobody', 'roots', { trustBundle: one }],
  ])('are created: %s', async (_, name, spec) => {
    expect((await create(name, spec)).metadata?.name).toBe(name);
  });

  const omitted = 'spec.trustBundle: Invalid value: "<value omitted>":';
  test.each([
    [
      'metadata.name: Invalid value: "roots": ClusterTrustBundle for signerName example.com/mine must be named with prefix example.com:mine:',
      'roots',
      { signerName: 'example.com/mine', trustBundle: one },
    ],
    [
      'metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name',
      'a:b',
      { trustBundle: one },
    ],
    ['metadata.name: Invalid value: "Roots": a lowercase RFC 1123 subdomain', 'Roots', { trustBundle: one }],
    ['spec.signerName: Invalid value: "x": must be a fully qualified', 'x:y', { signerName: 'x', trustBundle: one }],
    [`${omitted} at least one trust anchor must be provided`, 'a', { trustBundle: 'nothing' }],
    [`${omitted} duplicate trust anchor (indices [0 2])`, 'a', { trustBundle: one + two + one }],
    [`${omitted} entry 1 does not have the CA bit set`, 'a', { trustBundle: one + leaf }],
    [`${omitted} entry 0 does not parse as X.509`, 'a', { trustBundle: '-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\n' }],
    [`${omitted} entry 0 has bad block type: KEY`, 'a', { trustBundle: one.replaceAll('CERTIFICATE', 'KEY') }],
    [`${omitted} entry 0 has PEM block headers`, 'a', { trustBundle: one.replace('-----\n', '-----\nA: b\n\n') }],
    ['spec.trustBundle: Too long: may not be more than 1048576 bytes', 'a', { trustBundle: 'x'.repeat(1_048_577) }],
  ])('are refused: %s', async (message, name, spec) => {
    const { code, message: got } = await create(name, spec);
    expect(code).toBe(422);
    expect(got).toContain(message);
  });

  test('keep their signer', async () => {
    await create('example.com:other:roots', { signerName: 'example.com/other', trustBundle: one });
    const at = `${path}/example.com:other:roots`;
    const patch = (spec: object) => suite.http.send('PATCH', at, JSON.stringify({ spec }), 'application/merge-patch+json');
    const { json } = await patch({ signerName: 'example.com/mine' });
    expect(json.message).toContain('spec.signerName: Invalid value: "example.com/mine": field is immutable');
    expect((await patch({ trustBundle: two })).status).toBe(200);
    expect((await patch({ trustBundle: leaf })).status).toBe(422);
  });

  test('need permission for their signer', async () => {
    const name = 'secret.example.com:mine:roots';
    expect(await create(name, { signerName: 'secret.example.com/mine', trustBundle: one })).toMatchObject({
      code: 403,
      message: `clustertrustbundles.certificates.k8s.io "${name}" is forbidden: user not permitted to attest for signerName "secret.example.com/mine"`,
    });
  });
});
