import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueCertificate, type KeyPair } from '../../../../runtime/serving/x509-certificate.ts';
import { EtcdClient } from '../../../../runtime/storage/etcd/etcd-client.ts';
import { EtcdCluster, missingEtcd } from '../../../support/etcd.ts';
import { describeUnless } from '../../../support/skipping.ts';

const valid = { from: Date.UTC(2025, 0, 1), until: Date.UTC(2045, 0, 1) };

describeUnless(missingEtcd)('etcd with TLS', () => {
  let folder: string;
  let cluster: EtcdCluster;
  let ca: KeyPair;
  let files: { cafile: string; certfile: string; keyfile: string };

  const store = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const storePair = async (name: string, { certificate, key }: KeyPair) => {
    return { certfile: await store(`${name}.crt`, certificate), keyfile: await store(`${name}.key`, key) };
  };
  const issueClient = (issuer: KeyPair) => issueCertificate({ commonName: 'kubeloom', use: 'client', ...valid }, issuer);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-etcd-tls-'));
    ca = issueCertificate({ commonName: 'ca', use: 'ca', ...valid });
    const cafile = await store('ca.crt', ca.certificate);
    const names = ['127.0.0.1'];
    const server = await storePair('server', issueCertificate({ commonName: 'etcd', names, use: 'server', ...valid }, ca));
    files = { cafile, ...(await storePair('client', issueClient(ca))) };
    cluster = await EtcdCluster.start({ tls: { cert: server.certfile, key: server.keyfile, clientCA: cafile } });
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function read(endpoint: string, given: Partial<typeof files>): Promise<string> {
    const client = new EtcdClient({ endpoints: [endpoint], files: given, callTimeout: 2_000 });
    try {
      // wait until the connection is accepted or refused, however long it takes
      await client.connections[0].dial();
      await client.range({ key: 'a' });
      return 'ok';
    } catch (error) {
      return (error as Error).message;
    } finally {
      client.close();
    }
  }

  test('is read with a certificate that it trusts', async () => {
    expect(await read(cluster.endpoints[0], files)).toBe('ok');
  });

  test('refuses clients without one, and with that of another authority', async () => {
    const { cafile } = files;
    expect(await read(cluster.endpoints[0], { cafile })).toMatch(/context deadline exceeded.*transport/);
    const other = issueCertificate({ commonName: 'other', use: 'ca', ...valid });
    const pair = await storePair('other', issueClient(other));
    expect(await read(cluster.endpoints[0], { cafile, ...pair })).toMatch(/context deadline exceeded.*transport/);
  });

  test('is refused if its certificate is not trusted, or has another name', async () => {
    const { certfile, keyfile } = files;
    expect(await read(cluster.endpoints[0], { certfile, keyfile })).toMatch(/unable to verify|self.signed/);
    expect(await read(cluster.endpoints[0].replace('127.0.0.1', 'localhost'), files)).toMatch(/altnames/);
  });

  test('is given a renewed certificate by the next connection', async () => {
    const other = issueCertificate({ commonName: 'other', use: 'ca', ...valid });
    const pair = await storePair('renewed', issueClient(other));
    const client = new EtcdClient({ endpoints: cluster.endpoints, files: { ...files, ...pair }, callTimeout: 20_000 });
    const reading = client.range({ key: 'a' });
    await client.connections[0].dial();
    await storePair('renewed', issueClient(ca));
    await reading;
    client.close();
  });
});
