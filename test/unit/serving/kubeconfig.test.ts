import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type ServerOptions, startServer } from '../../../runtime/index.ts';
import { kubeconfigFrom } from '../../../runtime/serving/kubeconfig.ts';
import { freePorts } from '../../support/free-ports.ts';

const keyOf = (kubeconfig: string): string => Buffer.from(parse(kubeconfig).users[0].user['client-key-data'], 'base64').toString();

/** Returns undefined without a response. */
const readyz = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false, agent: false };
    const request = get(options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', () => resolve(undefined));
  });

describe('the kubeconfig of a server', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-kubeconfig-'));
    file = join(folder, 'kubeconfig');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each<[string, ServerOptions]>([
    ['a server', {}],
    ['a server with test controls', { testControls: true }],
    ['a server with controllers only of kube-apiserver', { controllers: [''] }],
    ['a server with files of its own', { certDir: 'certs' }],
  ])('is there, whole, before /readyz of %s says ok', async (_name, options) => {
    const [port] = await freePorts(1);
    const certDir = options.certDir && join(folder, options.certDir);
    const started = startServer({ ...options, certDir, port, builtin: false, writeKubeconfig: file });
    const seen: string[] = [];
    let failure: Error | undefined;
    started.catch((error) => {
      failure = error;
    });
    while ((await readyz(port)) !== 200 && failure === undefined) {
      if (existsSync(file)) seen.push(readFileSync(file, 'utf8'));
    }
    expect(failure).toBeUndefined();
    seen.push(readFileSync(file, 'utf8'));
    const server = await started;
    expect([...new Set(seen)]).toEqual([server.kubeconfig]);
    const answer = await (await server.fetch('/readyz?verbose')).text();
    expect(answer).toContain('[+]poststarthook/write-kubeconfig ok');
    await server.close();
  });

  test('is no matter of /readyz where nobody asks for it', async () => {
    const server = await startServer({ builtin: false });
    expect(await (await server.fetch('/readyz?verbose')).text()).not.toMatch(/kubeconfig|test-controls/);
    await server.close();
  });

  test.each<[string, ServerOptions]>([
    ['chance', {}],
    ['a seed', { seed: 7 }],
  ])('has its key in the form of client-go, by %s', async (_by, options) => {
    const server = await startServer({ ...options, builtin: false, writeKubeconfig: file });
    expect(keyOf(await readFile(file, 'utf8'))).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    expect(server.clientKey).toBe(keyOf(server.kubeconfig));
    await server.close();
  });

  test('is the same for the same seed', async () => {
    const credentials = async (): Promise<string[]> => {
      const server = await startServer({ builtin: false, seed: 7 });
      await server.close();
      return [server.caCertificate, server.clientKey, server.clientCertificate];
    };
    expect(await credentials()).toEqual(await credentials());
  });

  test('has its key in this form, too, if a file has it in another', async () => {
    const certDir = join(folder, 'certs');
    const first = await startServer({ builtin: false, certDir });
    await first.close();
    const key = createPrivateKey(first.clientKey);
    await writeFile(join(certDir, 'admin.key'), key.export({ type: 'pkcs8', format: 'pem' }));
    const second = await startServer({ builtin: false, certDir });
    await second.close();
    expect(keyOf(second.kubeconfig)).toBe(first.clientKey);
    expect(keyOf(await kubeconfigFrom(certDir, second.url))).toBe(first.clientKey);
  });

  test('cannot be made of a key that is none', async () => {
    const certDir = join(folder, 'certs');
    await (await startServer({ builtin: false, certDir })).close();
    await writeFile(join(certDir, 'admin.key'), 'none');
    await expect(kubeconfigFrom(certDir, 'https://127.0.0.1')).rejects.toThrow(join(certDir, 'admin.key'));
  });
});
