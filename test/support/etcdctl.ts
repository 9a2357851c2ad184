import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { missingEtcd } from './etcd.ts';

const run = promisify(execFile);

const etcdctlBinary = (process.env.PATH ?? '')
  .split(delimiter)
  .map((dir) => join(dir, 'etcdctl'))
  .find(existsSync);

/** The reason why tests cannot use etcdctl. */
export const missingEtcdctl: string | undefined =
  missingEtcd ??
  (etcdctlBinary !== undefined || process.env.ETCD === '1'
    ? undefined
    : 'there is no etcdctl on the PATH (Debian: apt-get install etcd-client)');

interface EtcdctlKeys {
  readonly kvs?: readonly { readonly key: string; readonly value: string }[];
}

/** Returns the values of the keys with a prefix, by key. */
export async function etcdctlGet(endpoint: string, prefix: string): Promise<Map<string, Buffer>> {
  const { kvs = [] } = (await etcdctl(endpoint, ['get', '--prefix', prefix])) as EtcdctlKeys;
  return new Map(kvs.map(({ key, value }) => [Buffer.from(key, 'base64').toString(), Buffer.from(value, 'base64')]));
}

const environment = { ...process.env, ETCDCTL_API: '3' };

async function etcdctl(endpoint: string, args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(etcdctlBinary ?? 'etcdctl', [`--endpoints=${endpoint}`, ...args, '--write-out=json'], {
    env: environment,
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout);
}
