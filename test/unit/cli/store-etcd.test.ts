import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startServer } from '../../../runtime/index.ts';
import { EtcdClient } from '../../../runtime/storage/etcd/etcd-client.ts';
import { openLmdbEngine } from '../../../runtime/storage/lmdb/lmdb-engine.ts';
import { EtcdCluster, missingEtcd } from '../../support/etcd.ts';
import { HttpClient } from '../../support/http-client.ts';
import { KubeloomCommand, type Outcome } from '../../support/kubeloom-command.ts';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { describeUnless } from '../../support/skipping.ts';

/** Returns a command's line on stderr, without the command's name. */
const said = ({ stderr }: Outcome): string => stderr.replace(/^kubeloom: (.*)\n$/, '$1');

const configMap = (name: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'default', uid: '1', creationTimestamp: '2026-01-02T03:04:05Z' },
  data: { n: name },
});
const encryptionOfSecrets = `
kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers:
  - aesgcm: {keys: [{name: key1, secret: ${Buffer.alloc(32, 7).toString('base64')}}]}
`;

const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'w' }, size: 5 };

describeUnless(missingEtcd)('kubeloom store on etcd', () => {
  let command: KubeloomCommand;
  let etcd: EtcdCluster;
  let client: EtcdClient;
  let home: string;
  /** Each test has its own prefix in etcd. */
  let root: string;
  let tests = 0;
  beforeAll(async () => {
    command = await KubeloomCommand.make();
    etcd = await EtcdCluster.start();
    client = new EtcdClient({ endpoints: etcd.endpoints });
  });
  afterAll(async () => {
    client.close();
    await etcd.stop();
    await command.remove();
  });
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'kubeloom-store-etcd-'));
    tests += 1;
    root = `/test${tests}`;
    await fillFolder();
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  /** Fills a folder's store with objects in the server's stored form. */
  async function fillFolder(): Promise<void> {
    const engine = await openLmdbEngine({ path: join(home, 'data'), unsafeNoFsync: true });
    const put = (key: string, value: unknown) =>
      engine.write({ type: 'put', key: `/registry${key}`, value: Buffer.from(JSON.stringify(value)), expect: 0 });
    await Promise.all([
      ...['a', 'b', 'c'].map((name) => put(`/configmaps/default/${name}`, configMap(name))),
      put('/example.com/widgets/w', widget),
    ]);
    await engine.close();
  }

  const folder = (name = 'data') => `--data-dir=${join(home, name)}`;
  const servers = (prefix = root) => [`--etcd-servers=${etcd.endpoints}`, `--etcd-prefix=${prefix}`];
  const store = (...args: string[]) => command.run('store', ...args);

  async function dump(...flags: string[]) {
    const { stdout } = await store('dump', ...flags);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return lines.map(({ key, object }) => ({ key: key.replace(root, '/registry'), object }));
  }

  const stored = async (key: string): Promise<string> => {
    const { kvs } = await client.range({ key: root + key });
    return Buffer.from(kvs[0]?.value ?? []).toString('latin1');
  };

  const putInto = (key: string, text: string, lease?: bigint) =>
    client.txn({
      compare: [],
      success: [{ put: { key: root + key, value: Buffer.from(text), ...(lease === undefined ? {} : { lease }) } }],
      failure: [],
    });

  test('migrate takes a store to etcd, as kube-apiserver has it, and back', async () => {
    const before = await dump(folder());
    const there = await store('migrate', '--to=etcd', folder(), ...servers());
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^4 records are in etcd below \/test\d+, at/),
    });
    expect(await stored('/configmaps/default/a')).toMatch(/^k8s\0/);
    expect(JSON.parse(await stored('/example.com/widgets/w'))).toEqual(widget);
    expect(await dump(...servers())).toEqual(before);
    expect(await store('check', ...servers())).toMatchObject({ code: 0, stdout: expect.stringMatching(/: sound\n$/) });
    const back = await store('migrate', '--from=etcd', folder('back'), ...servers());
    expect(back).toMatchObject({ code: 0, stderr: '' });
    expect(await dump(folder('back'))).toEqual(before);
    expect(await store('check', folder('back'))).toMatchObject({ code: 0 });
  });

  test('a server goes on in etcd where it stopped on disk, with what it has encrypted', async () => {
    const encryption = join(home, 'encryption.yaml');
    await writeFile(encryption, encryptionOfSecrets);
    const dataDir = join(home, 'served');
    const common = { ...quietNamespaces, encryptionProviderConfig: encryption };
    const secrets = '/api/v1/namespaces/default/secrets';
    const maps = '/api/v1/namespaces/default/configmaps';
    const first = await startServer({ ...common, storage: 'lmdb', dataDir, unsafeNoFsync: true });
    const before = HttpClient.for(first);
    const made = (path: string) => before.send('POST', path, '{"metadata":{"name":"one"}}', 'application/json');
    const [secret, map] = [await made(secrets), await made(maps)];
    before.close();
    await first.close();
    const moved = await store('migrate', '--to=etcd', `--data-dir=${dataDir}`, ...servers('/registry'));
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    const second = await startServer({ ...common, etcdServers: etcd.endpoints });
    const after = HttpClient.for(second);
    try {
      for (const [path, { json }] of [
        [`${secrets}/one`, secret],
        [`${maps}/one`, map],
      ] as const) {
        const { resourceVersion, ...metadata } = json.metadata;
        const { json: there } = await after.get(path);
        expect(there.metadata).toMatchObject(metadata);
        expect(Number(there.metadata.resourceVersion)).toBeGreaterThan(Number(resourceVersion));
      }
      const watched = await after.get(`${maps}?watch=true&resourceVersion=${map.json.metadata.resourceVersion}`);
      expect(watched.json.object.code).toBe(410);
    } finally {
      after.close();
      await second.close();
    }
  });

  test('a backup of etcd is restored on disk and in etcd, at later revisions, with what is left of leases', async () => {
    await store('migrate', '--to=etcd', folder(), ...servers(), '--storage-media-type=application/json');
    const { id } = await client.grantLease(600);
    await putInto('/configmaps/default/d', JSON.stringify(configMap('d')), id);
    const file = join(home, 'file');
    expect(await store('backup', file, ...servers())).toMatchObject({ code: 0 });
    const { revision } = await client.range({ key: root });
    const before = await dump(...servers());
    expect(await store('restore', file, folder('restored'))).toMatchObject({ code: 0, stderr: '' });
    expect(await dump(folder('restored'))).toEqual(before);
    const other = `${root}-restored`;
    const restored = await store('restore', file, ...servers(other), '--bump-revision=700');
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('5 records are in etcd below') });
    const { kvs } = await client.range({ key: `${other}/`, rangeEnd: `${other}0` });
    expect(Math.min(...kvs.map(({ modRevision }) => modRevision))).toBeGreaterThan(revision + 700);
    const leases = kvs.filter(({ lease }) => lease !== undefined);
    expect(leases.map(({ key }) => key)).toEqual([`${other}/configmaps/default/d`]);
    expect(await client.leaseTimeToLive(leases[0].lease ?? 0n)).toBeGreaterThan(500);
    const watched = client.range({ key: root, revision: revision + 1 });
    await expect(watched).rejects.toThrow('required revision has been compacted');
  });

  test('check names what cannot be decoded, and dump shows it', async () => {
    await putInto('/configmaps/default/bad', 'k8s\0nonsense');
    await putInto('/secrets/default/hidden', 'k8s:enc:aescbc:v1:key:xyz');
    const checked = await store('check', ...servers());
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(/^2 objects .*: 1 problems\n$/)]);
    expect(checked.stderr).toMatch(/^\/test\d+\/configmaps\/default\/bad: [^\n]+\n$/);
    const { stdout } = await store('dump', ...servers());
    expect(stdout).toMatch(/"undecodable":"azhzAG5vbnNlbnNl","error":"/);
    expect(stdout).toMatch(/"encrypted":"azhzOmVu/);
  });

  test('migrate refuses what it would lose: full stores, encrypted values that cannot be read, running servers', async () => {
    await putInto('/configmaps/default/a', JSON.stringify(configMap('a')));
    const full = await store('migrate', '--to=etcd', folder(), ...servers());
    expect([full.code, said(full)]).toEqual([1, expect.stringMatching(/\/configmaps\/default\/a is already$/)]);
    const filled = await store('migrate', '--from=etcd', folder(), ...servers());
    expect([filled.code, said(filled)]).toEqual([1, expect.stringContaining('which is not empty')]);
    await putInto('/secrets/default/hidden', 'k8s:enc:aescbc:v1:key:xyz');
    const hidden = await store('migrate', '--from=etcd', folder('new'), ...servers());
    expect([hidden.code, said(hidden)]).toEqual([1, expect.stringMatching(/hidden is encrypted, and its key, which/)]);
    const engine = await openLmdbEngine({ path: join(home, 'data'), unsafeNoFsync: true });
    const used = await store('migrate', '--to=etcd', folder(), ...servers());
    await engine.close();
    expect([used.code, said(used)]).toEqual([1, expect.stringMatching(/is in use by process \d+$/)]);
  });

  test('migrate writes nothing if a record is none of an object', async () => {
    const engine = await openLmdbEngine({ path: join(home, 'data'), unsafeNoFsync: true });
    await engine.write({ type: 'put', key: '/registry/zzz', value: Buffer.from('[]'), expect: 0 });
    await engine.close();
    const refused = await store('migrate', '--to=etcd', folder(), ...servers());
    expect([refused.code, said(refused)]).toEqual([1, '"/registry/zzz": its value is not a JSON object']);
    expect((await client.range({ key: `${root}/`, rangeEnd: `${root}0` })).kvs).toEqual([]);
    await putInto('/zzz', '[]');
    const back = await store('migrate', '--from=etcd', folder('new'), ...servers());
    const why = 'its value is no object, neither in JSON nor in protobuf or CBOR';
    expect([back.code, said(back)]).toEqual([1, `"${root}/zzz": ${why}`]);
  });

  test('migrate says so if etcd has changed meanwhile', async () => {
    await store('migrate', '--to=etcd', folder(), ...servers());
    const running = store('migrate', '--from=etcd', folder('new'), ...servers());
    let isRunning = true;
    const writing = (async () => {
      while (isRunning) await putInto('/configmaps/default/a', JSON.stringify(configMap('a')));
    })();
    const outcome = await running;
    isRunning = false;
    await writing;
    expect([outcome.code, said(outcome)]).toEqual([1, expect.stringMatching(/has changed since revision \d+/)]);
  });

  test('compact discards the history of etcd and frees its disk space', async () => {
    await putInto('/configmaps/default/a', 'x');
    const { revision } = await putInto('/configmaps/default/a', 'y');
    const compacted = await store('compact', ...servers());
    expect(compacted).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^revision \d+, compacted \d+\nhttp:\/\/127[^\n]+: \d+ -> \d+ bytes\n$/),
    });
    await expect(client.range({ key: root, revision: revision - 1 })).rejects.toThrow('has been compacted');
    expect(await store('compact', ...servers(), '--revision=999999999')).toMatchObject({
      code: 1,
      stderr: 'kubeloom: etcdserver: mvcc: required revision is a future revision\n',
    });
  });

  test.each([
    [['migrate'], 'store migrate needs --to or --from'],
    [['migrate', '--to=etcd'], 'store migrate needs --etcd-servers'],
    [['migrate', '--to=etcd', '--from=etcd'], '--to and --from must be different'],
    [['migrate', '--to=disk'], 'invalid argument "disk" for --to: must be etcd or lmdb'],
    [['backup', 'file', '--etcd-servers=ftp://etcd'], /^--etcd-servers: /],
    [['dump', '--etcd-servers=http://127.0.0.1:1', '--etcd-certfile=x'], /^KeyFile and CertFile must both be present/],
  ])('%j: says why not', async (args, why) => {
    const outcome = await store(...args);
    expect([outcome.code, said(outcome)]).toEqual([1, typeof why === 'string' ? why : expect.stringMatching(why)]);
  });
});
