import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { credentials } from '../../../runtime/client/credentials.ts';
import { inClusterConfig } from '../../../runtime/client/in-cluster.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the credentials of a client', () => {
  test.each([
    [{}, {}],
    [{ token: 't' }, { authorization: 'Bearer t' }],
    [{ username: 'jane', password: 'p', token: 't' }, { authorization: 'Basic amFuZTpw' }],
  ])('%j are %j', async (options, header) => {
    expect(await credentials({ ...options })()).toEqual(header);
  });

  test('a token file is read again after 50 seconds, and its last token stays in force while it is missing', async () => {
    const tokenFile = join(folder, 'token');
    let now = 0;
    const header = credentials({ token: 'first', tokenFile }, () => now);
    expect(await header()).toEqual({ authorization: 'Bearer first' });
    await writeFile(tokenFile, 'second\n');
    expect(await header()).toEqual({ authorization: 'Bearer second' });
    await writeFile(tokenFile, 'third');
    now = 49_999;
    expect(await header()).toEqual({ authorization: 'Bearer second' });
    now = 50_000;
    expect(await header()).toEqual({ authorization: 'Bearer third' });
    await rm(tokenFile);
    now = 100_000;
    expect(await header()).toEqual({ authorization: 'Bearer third' });
  });

  test('a client whose only token is in a file that is empty cannot send anything', async () => {
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, '\n');
    const header = credentials({ tokenFile });
    await expect(Promise.resolve(header())).rejects.toThrow(`read empty token from file "${tokenFile}"`);
  });

  test('stays in force when its file cannot be read again, without another token', async () => {
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'only');
    let now = 0;
    const header = credentials({ tokenFile }, () => now);
    expect(await header()).toEqual({ authorization: 'Bearer only' });
    await rm(tokenFile);
    now += 60_000;
    expect(await header()).toEqual({ authorization: 'Bearer only' });
  });
});

describe('the configuration of a pod', () => {
  const environment = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  test('is the service, and the files of the service account', async () => {
    await writeFile(join(folder, 'token'), 'secret\n');
    await writeFile(join(folder, 'ca.crt'), 'pem');
    expect(await inClusterConfig(environment, folder)).toEqual({
      server: 'https://10.96.0.1:443',
      ca: Buffer.from('pem'),
      token: 'secret',
      tokenFile: join(folder, 'token'),
    });
    const { server } = await inClusterConfig({ ...environment, KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder);
    expect(server).toBe('https://[fd00::1]:443');
  });

  test('does not exist elsewhere', async () => {
    await expect(inClusterConfig({}, folder)).rejects.toThrow(
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
    );
    await expect(inClusterConfig(environment, folder)).rejects.toThrow('ENOENT');
  });
});
