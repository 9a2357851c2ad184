import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseEndpoint } from '../../../../runtime/storage/etcd/endpoint.ts';
import { toStorageError } from '../../../../runtime/storage/etcd/errors.ts';
import { EtcdClient, type EtcdClientOptions } from '../../../../runtime/storage/etcd/etcd-client.ts';
import { supportsRequestProgress } from '../../../../runtime/storage/etcd/progress-support.ts';
import { type ScriptedAnswer, ScriptedGRPCServer } from '../../../support/scripted-grpc-server.ts';

describe('a client of etcd', () => {
  let servers: ScriptedGRPCServer[] = [];
  let client: EtcdClient | undefined;

  beforeEach(() => {
    servers = [];
  });
  afterEach(async () => {
    client?.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  async function open(count: number, options: Partial<EtcdClientOptions> = {}): Promise<EtcdClient> {
    servers = await Promise.all(Array.from({ length: count }, () => ScriptedGRPCServer.start()));
    client = new EtcdClient({ endpoints: servers.map(({ url }) => url), ...options });
    return client;
  }
  const calls = () => servers.reduce((sum, server) => sum + server.calls, 0);
  const read = (etcd: EtcdClient) => etcd.range({ key: 'a' });
  const write = (etcd: EtcdClient) => etcd.txn({ compare: [], success: [], failure: [] });
  const codeAfter = async (call: Promise<unknown>, isWrite: boolean) => {
    try {
      await call;
      return 'ok';
    } catch (error) {
      const { code, message } = toStorageError(error, isWrite);
      return `${code}: ${message}`;
    }
  };

  const noLeader = { code: 14, message: 'etcdserver: no leader' };
  const leaderChanged = { code: 14, message: 'etcdserver: leader changed' };
  const cases: [answer: ScriptedAnswer, read: string, write: string][] = [
    ['refuse', 'ok after 2', 'ok after 2'],
    [noLeader, 'ok after 2', 'ok after 2'],
    [{ code: 2, message: 'etcdserver: too many requests' }, 'ok after 2', 'ok after 2'],
    [leaderChanged, 'ok after 2', 'unknown-outcome: etcdserver: leader changed after 1'],
    ['cut', 'ok after 2', 'unknown-outcome: rpc error: code = Unavailable'],
    [
      { code: 8, message: 'etcdserver: mvcc: database space exceeded' },
      'unavailable: etcdserver: mvcc: database space exceeded after 1',
      'unavailable: etcdserver: mvcc: database space exceeded after 1',
    ],
    [
      { code: 3, message: 'etcdserver: request is too large' },
      'unavailable: etcdserver: request is too large after 1',
      'unavailable: etcdserver: request is too large after 1',
    ],
    [
      { code: 7, message: 'etcdserver: permission denied' },
      'unavailable: etcdserver: permission denied after 1',
      'unavailable: etcdserver: permission denied after 1',
    ],
    [
      { code: 13, message: 'boom' },
      'unavailable: rpc error: code = Internal desc = boom after 1',
      'unknown-outcome: rpc error: code = Internal desc = boom after 1',
    ],
  ];

  test.each(cases)('%j: reads are repeated, writes only if they had no effect', async (answer, wantRead, wantWrite) => {
    const etcd = await open(1);
    servers[0].answers = [answer];
    const outcome = `${await codeAfter(read(etcd), false)} after ${calls()}`;
    expect(outcome).toContain(wantRead);
    const before = calls();
    servers[0].answers = [answer];
    expect(`${await codeAfter(write(etcd), true)} after ${calls() - before}`).toContain(wantWrite);
  });

  test('a write that etcd would not take is not sent', async () => {
    const etcd = await open(1);
    const put = { key: 'a', value: new Uint8Array(2 * 2 ** 20) };
    expect(await codeAfter(etcd.txn({ compare: [], success: [{ put }], failure: [] }), true)).toBe(
      'unavailable: rpc error: code = ResourceExhausted desc = trying to send message larger than max (2097170 vs. 2097152)',
    );
    expect(calls()).toBe(0);
  });

  test('a call that nobody answers ends with its time', async () => {
    const etcd = await open(1, { callTimeout: 1_500 });
    servers[0].answers = ['hang', 'hang'];
    expect(await codeAfter(write(etcd), true)).toBe('unknown-outcome: context deadline exceeded');
    expect(await codeAfter(read(etcd), false)).toBe('unavailable: context deadline exceeded');
  });

  test('a write that could not be sent has certainly not happened', async () => {
    const etcd = await open(1, { callTimeout: 50 });
    await servers[0].stop();
    servers = [];
    expect(await codeAfter(write(etcd), true)).toBe('unavailable: context deadline exceeded');
    await etcd.connections[0].dial();
    await expect(etcd.connect(1)).rejects.toThrow(
      /context deadline exceeded \(connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:\d+: connect: connection refused"\)$/,
    );
  });

  test('calls take turns between the members', async () => {
    const etcd = await open(3);
    await Promise.all(etcd.connections.map((connection) => connection.dial()));
    for (let at = 0; at < 9; at += 1) await read(etcd);
    expect(servers.map((server) => server.calls)).toEqual([3, 3, 3]);
  });

  test('members that cannot be reached are left out', async () => {
    const etcd = await open(3);
    await Promise.all(etcd.connections.map((connection) => connection.dial()));
    await servers[1].stop();
    for (let at = 0; at < 6; at += 1) await write(etcd);
    expect([servers[0].calls, servers[2].calls]).toEqual([3, 3]);
    servers = [servers[0], servers[2]];
  });

  test('a read does not wait for a member that hangs, and such a member is asked last', async () => {
    const etcd = await open(2);
    await Promise.all(etcd.connections.map((connection) => connection.dial()));
    servers[0].answers = ['hang'];
    await read(etcd);
    expect(servers.map((server) => server.calls)).toEqual([1, 1]);
  });
});

test.each([
  ['http://10.0.0.1:2379', { isSecure: false, address: '10.0.0.1:2379' }],
  ['https://etcd', { isSecure: true, address: 'etcd:443' }],
  ['https://[::1]:2379', { isSecure: true, address: '[::1]:2379' }],
  ['127.0.0.1:2379', { isSecure: false, address: '127.0.0.1:2379' }],
  ['unix:///run/etcd.sock', { isSecure: false, socketPath: '/run/etcd.sock' }],
])('%s is an endpoint', (text, want) => expect(parseEndpoint(text)).toMatchObject(want));

test.each(['ftp://a', 'http://', ''])('%j is no endpoint', (text) => expect(() => parseEndpoint(text)).toThrow(TypeError));

test.each([
  ['3.4.23', false],
  ['3.4.31', true],
  ['3.5.12', false],
  ['3.5.13', true],
  ['3.6.0-rc.1', true],
  ['4.0.0', true],
  ['3.3.27', false],
  ['next', false],
])('progress notifications of %s can be believed: %s', (version, want) => expect(supportsRequestProgress(version)).toBe(want));
