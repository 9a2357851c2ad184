import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { describeKubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, labels: Record<string, string> = {}, data = 'b'): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: ${JSON.stringify(labels)}}
data: {a: ${data}}
`;

const pod = (name: string, node = ''): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  ${node === '' ? '' : `nodeName: ${node}`}
  containers: [{name: main, image: "busybox:1.36"}]
`;

describeKubectl('kubectl deletes', () => {
  const suite = TestServer.withKubectl();

  const make = async (name: string, metadata: object = {}) => {
    const body = JSON.stringify({ metadata: { name, ...metadata } });
    return (await suite.http.send('POST', maps, body, 'application/json')).json;
  };
  const owned = async (owner: string): Promise<void> => {
    const { metadata } = await make(owner);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: metadata.uid, blockOwnerDeletion: true };
    await make(`${owner}-dependent`, { ownerReferences: [reference] });
  };
  const gone = async (name: string): Promise<void> => {
    while ((await suite.http.get(`${maps}/${name}`)).status !== 404) await setImmediate();
  };

  test('--cascade=background deletes dependents asynchronously', async () => {
    await owned('background');
    expect(await suite.kubectl.ok(['delete', 'configmap', 'background', '--cascade=background'])).toBe(
      'configmap "background" deleted from default namespace\n',
    );
    await gone('background-dependent');
  });

  test('--cascade=foreground returns when dependents are deleted', async () => {
    await owned('foreground');
    await suite.kubectl.ok(['delete', 'configmap', 'foreground', '--cascade=foreground', '--timeout=120s']);
    expect((await suite.http.get(`${maps}/foreground-dependent`)).status).toBe(404);
  });

  test('--cascade=orphan keeps dependents, without their owner reference', async () => {
    await owned('orphan');
    await suite.kubectl.ok(['delete', 'configmap', 'orphan', '--cascade=orphan', '--timeout=120s']);
    const { json } = await suite.http.get(`${maps}/orphan-dependent`);
    expect(json.metadata.ownerReferences).toBeUndefined();
  });

  test('delete ns returns when the namespace is deleted, empty or not', async () => {
    await suite.kubectl.ok(['create', 'ns', 'empty']);
    expect(await suite.kubectl.ok(['delete', 'ns', 'empty', '--timeout=120s'])).toBe('namespace "empty" deleted\n');
    await suite.kubectl.ok(['create', 'ns', 'full']);
    await suite.kubectl.ok(['create', '-n', 'full', '-f', '-'], { stdin: `${configMap('m')}---${pod('p')}` });
    await suite.kubectl.ok(['create', '-n', 'full', 'deployment', 'd', '--image=web:1']);
    await suite.kubectl.ok(['delete', 'ns', 'full', '--timeout=120s']);
    expect((await suite.kubectl.run(['get', 'ns', 'full'])).stderr).toContain('(NotFound)');
  });

  test('--all and -l delete the selected objects', async () => {
    await suite.kubectl.ok(['create', 'ns', 'many']);
    for (const name of ['a', 'b', 'c']) {
      await suite.kubectl.ok(['create', '-n', 'many', '-f', '-'], { stdin: configMap(name, { name }) });
    }
    expect(await suite.kubectl.ok(['delete', '-n', 'many', 'configmap', '-l', 'name in (a,b)'])).toBe(
      'configmap "a" deleted from many namespace\nconfigmap "b" deleted from many namespace\n',
    );
    await suite.kubectl.ok(['delete', '-n', 'many', 'configmap', '--all']);
    expect(await suite.kubectl.ok(['get', '-n', 'many', 'configmap', '-l', 'name', '-o', 'name'])).toBe('');
  });

  test('--force --grace-period=0 deletes a pod that waits for its node', async () => {
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: pod('placed', 'nowhere') });
    await suite.kubectl.ok(['delete', 'pod', 'placed', '--wait=false']);
    expect(await suite.kubectl.ok(['get', 'pod', 'placed'])).toContain('Terminating');
    const forced = await suite.kubectl.run(['delete', 'pod', 'placed', '--force', '--grace-period=0']);
    expect(forced.code).toBe(0);
    expect(forced.stdout).toBe('pod "placed" force deleted from default namespace\n');
    expect((await suite.kubectl.run(['get', 'pod', 'placed'])).stderr).toContain('(NotFound)');
  });

  test('--dry-run=server deletes nothing', async () => {
    await make('dry');
    expect(await suite.kubectl.ok(['delete', 'configmap', 'dry', '--dry-run=server'])).toContain('(server dry run)');
    expect((await suite.http.get(`${maps}/dry`)).status).toBe(200);
  });

  test('replace --force deletes and creates again', async () => {
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: configMap('forced') });
    const { uid } = (await suite.http.get(`${maps}/forced`)).json.metadata;
    expect(await suite.kubectl.ok(['replace', '--force', '-f', '-'], { stdin: configMap('forced', {}, 'c') })).toBe(
      'configmap "forced" deleted from default namespace\nconfigmap/forced replaced\n',
    );
    const { json } = await suite.http.get(`${maps}/forced`);
    expect(json.metadata.uid).not.toBe(uid);
    expect(json.data).toEqual({ a: 'c' });
  });

  test('apply --prune deletes objects that are not in the files any more', async () => {
    const labels = { set: 'pruned' };
    const prune = ['apply', '--prune', '-l', 'set=pruned', '--prune-allowlist=core/v1/ConfigMap', '-f', '-'];
    await suite.kubectl.ok(prune, { stdin: `${configMap('kept', labels)}---${configMap('dropped', labels)}` });
    expect(await suite.kubectl.ok(prune, { stdin: configMap('kept', labels) })).toBe(
      'configmap/kept unchanged\nconfigmap/dropped pruned\n',
    );
    expect((await suite.http.get(`${maps}/dropped`)).status).toBe(404);
  });
});
