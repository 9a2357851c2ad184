import { afterAll, expect, test } from '@jest/globals';
import { makeCertificateRequest } from '../support/certificate-request.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

describeKubectl('kubectl 1.35 certificate', () => {
  const suite = TestServer.withKubectl();
  let jane: Kubectl | undefined;
  afterAll(() => jane?.close());

  const create = (name: string, request: string) => {
    const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
    const object = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec,
    };
    return suite.kubectl.ok(['create', '-f', '-'], { stdin: JSON.stringify(object) });
  };
  /** Returns the last word of the table: the condition. */
  const conditionOf = async (name: string) => (await suite.kubectl.ok(['get', 'csr', name, '--no-headers'])).trim().split(/\s+/).at(-1);

  test('approve yields a certificate with which kubectl works', async () => {
    const { request, key } = makeCertificateRequest({ commonName: 'jane', organizations: ['dev'] });
    await create('jane', request);
    expect(await conditionOf('jane')).toBe('Pending');
    expect(await suite.kubectl.ok(['certificate', 'approve', 'jane'])).toBe(
      'certificatesigningrequest.certificates.k8s.io/jane approved\n',
    );
    await suite.kubectl.ok(['wait', 'csr/jane', '--for=jsonpath={.status.certificate}', '--timeout=60s']);
    expect(await conditionOf('jane')).toBe('Approved,Issued');
    const certificate = await suite.kubectl.ok(['get', 'csr', 'jane', '-o', 'jsonpath={.status.certificate}']);
    const config = suite.server.kubeconfig
      .replace(/client-certificate-data: .*/, `client-certificate-data: ${certificate}`)
      .replace(/client-key-data: .*/, `client-key-data: ${Buffer.from(key).toString('base64')}`);
    jane = await Kubectl.for(config);
    expect(await jane.ok(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'])).toBe(
      'jane ["dev","system:authenticated"]',
    );
  });

  test('deny yields none', async () => {
    await create('john', makeCertificateRequest({ commonName: 'john' }).request);
    await suite.kubectl.ok(['certificate', 'deny', 'john']);
    expect(await conditionOf('john')).toBe('Denied');
  });
});
