import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { TestServer } from '../support/test-server.ts';
import { ownersOf } from '../support/write-fixture.ts';

const deployment = (name: string, replicas: number | undefined, extra = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
${replicas === undefined ? '' : `  replicas: ${replicas}`}
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - name: web
        image: nginx:1.27
${extra}`;

const configMap = (name: string, data: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {set: pruned}}
data: {${data}}
`;

describeKubectl('kubectl 1.35 writes', () => {
  const suite = TestServer.withKubectl();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-apply-'));
  });
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const object = async (...what: string[]) => JSON.parse(await suite.kubectl.ok(['get', ...what, '-o', 'json', '--show-managed-fields']));
  const apply = (stdin: string, ...flags: string[]) => suite.kubectl.run(['apply', '-f', '-', ...flags], { stdin });

  test('apply creates, changes, and changes nothing the third time', async () => {
    expect((await apply(deployment('a', 1))).stdout).toBe('deployment.apps/a created\n');
    expect((await apply(deployment('a', 1))).stdout).toBe('deployment.apps/a unchanged\n');
    expect((await apply(deployment('a', 2))).stdout).toBe('deployment.apps/a configured\n');
    const found = await object('deployment', 'a');
    expect([found.spec.replicas, ownersOf(found)]).toEqual([2, ['kubectl-client-side-apply Update']]);
  });

  test('apply --server-side conflicts, explains what to do, and can be forced', async () => {
    expect((await apply(deployment('s', 1), '--server-side', '--field-manager=one')).stdout).toBe('deployment.apps/s serverside-applied\n');
    const rejected = await apply(deployment('s', 2), '--server-side', '--field-manager=two');
    expect(rejected.code).toBe(1);
    expect(rejected.stderr).toMatch(/^error: Apply failed with 1 conflict: conflict with "one": \.spec\.replicas\n/);
    expect(rejected.stderr).toContain('--force-conflicts');
    const forced = await apply(deployment('s', 2), '--server-side', '--field-manager=two', '--force-conflicts');
    expect(forced.code).toBe(0);
    expect(ownersOf(await object('deployment', 's')).sort()).toEqual(['one Apply', 'two Apply']);
  });

  test('apply switches from client-side to server-side and back', async () => {
    await apply(deployment('both', 1));
    const moved = await apply(deployment('both', 2), '--server-side');
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    const found = await object('deployment', 'both');
    // kubectl adopts its client-side fields by a separate apply
    expect(ownersOf(found).sort()).toEqual(['kubectl Apply', 'kubectl-last-applied Apply']);
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    expect(JSON.parse(found.metadata.annotations[annotation]).spec.replicas).toBe(2);
    expect((await apply(deployment('both', 3))).stdout).toBe('deployment.apps/both configured\n');
  });

  test('apply --prune deletes objects that are no longer in the files', async () => {
    const flags = ['--prune', '-l', 'set=pruned', '--prune-allowlist=core/v1/ConfigMap'];
    await apply(`${configMap('keep', 'a: "1"')}---${configMap('drop', 'a: "1"')}`, ...flags);
    const { stdout } = await apply(configMap('keep', 'a: "1"'), ...flags);
    expect(stdout).toBe('configmap/keep unchanged\nconfigmap/drop pruned\n');
  });

  test('diff shows what would change, and changes nothing', async () => {
    await apply(deployment('d', 1));
    const same = await suite.kubectl.run(['diff', '-f', '-'], { stdin: deployment('d', 1) });
    expect([same.code, same.stdout]).toEqual([0, '']);
    const differs = await suite.kubectl.run(['diff', '-f', '-'], { stdin: deployment('d', 3) });
    expect(differs.code).toBe(1);
    expect(differs.stdout).toMatch(/^- {2}replicas: 1$/m);
    expect(differs.stdout).toMatch(/^\+ {2}replicas: 3$/m);
    const served = await suite.kubectl.run(['diff', '--server-side', '--field-manager=kubectl-client-side-apply', '-f', '-'], {
      stdin: deployment('new', 3),
    });
    expect([served.code, served.stdout.includes('+  replicas: 3')]).toEqual([1, true]);
    expect((await object('deployment', 'd')).spec.replicas).toBe(1);
  });

  test('edit saves what the editor wrote', async () => {
    await apply(configMap('edited', 'a: "before"'));
    const editor = join(folder, 'editor.sh');
    await writeFile(editor, '#!/bin/sh\nsed -i s/before/after/ "$1"\n', { mode: 0o755 });
    const done = await suite.kubectl.run(['edit', 'configmap', 'edited'], { env: { KUBE_EDITOR: editor } });
    expect([done.code, done.stdout]).toEqual([0, 'configmap/edited edited\n']);
    const found = await object('configmap', 'edited');
    expect([found.data.a, ownersOf(found)]).toEqual(['after', ['kubectl-client-side-apply Update', 'kubectl-edit Update']]);
  });

  test('replace, and replace --force with a new object', async () => {
    await suite.kubectl.ok(['create', '-f', '-'], { stdin: configMap('r', 'a: "1"') });
    const before = await object('configmap', 'r');
    expect(await suite.kubectl.ok(['replace', '-f', '-'], { stdin: configMap('r', 'a: "2"') })).toBe('configmap/r replaced\n');
    expect((await object('configmap', 'r')).metadata.uid).toBe(before.metadata.uid);
    const forced = await suite.kubectl.ok(['replace', '--force', '-f', '-'], { stdin: configMap('r', 'a: "3"') });
    expect(forced).toContain('configmap/r replaced\n');
    const after = await object('configmap', 'r');
    expect([after.data.a, after.metadata.uid === before.metadata.uid]).toEqual(['3', false]);
  });

  test('create --dry-run=server shows what would be created, and creates nothing', async () => {
    const flags = ['create', '--dry-run=server', '-o', 'json', '-f', '-'];
    const shown = JSON.parse(await suite.kubectl.ok(flags, { stdin: deployment('dry', undefined) }));
    expect([shown.spec.replicas, typeof shown.metadata.uid]).toEqual([1, 'string']);
    expect((await suite.kubectl.run(['get', 'deployment', 'dry'])).stderr).toContain('deployments.apps "dry" not found');
  });

  const typo = deployment('v', 1, '        imagePullPolice: Always\n');
  const unknown = 'unknown field "spec.template.spec.containers[0].imagePullPolice"';

  test.each([
    ['strict', 1, `strict decoding error: ${unknown}`],
    ['true', 1, `strict decoding error: ${unknown}`],
    ['warn', 0, `Warning: ${unknown}\n`],
  ])('create --validate=%s', async (how, code, text) => {
    const { code: got, stderr } = await suite.kubectl.run(['create', '--dry-run=server', `--validate=${how}`, '-f', '-'], {
      stdin: typo,
    });
    expect([got, stderr]).toEqual([code, expect.stringContaining(text)]);
  });

  test.each(['ignore', 'false'])('create --validate=%s prints no warning', async (how) => {
    const flags = ['create', '--dry-run=server', `--validate=${how}`, '-f', '-'];
    const { code, stderr } = await suite.kubectl.run(flags, { stdin: typo });
    expect([code, stderr]).toEqual([0, '']);
  });

  test('apply --validate=warn warns, strict rejects', async () => {
    const warned = await apply(typo, '--validate=warn');
    expect([warned.code, warned.stderr]).toEqual([0, `Warning: ${unknown}\n`]);
    const rejected = await apply(deployment('v2', 1, '        imagePullPolice: Always\n'), '--validate=strict');
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringContaining(unknown)]);
  });

  test('patch by every type, and scale', async () => {
    await apply(deployment('p', 1));
    const patch = (type: string, body: string) =>
      suite.kubectl.ok(['patch', 'deployment', 'p', `--type=${type}`, '-p', body, '-o', 'jsonpath={.spec.replicas}']);
    expect(await patch('merge', '{"spec":{"replicas":2}}')).toBe('2');
    expect(await patch('json', '[{"op":"replace","path":"/spec/replicas","value":3}]')).toBe('3');
    expect(await patch('strategic', '{"spec":{"replicas":4}}')).toBe('4');
    const sub = ['patch', 'deployment', 'p', '--subresource=scale', '--type=merge', '-p', '{"spec":{"replicas":5}}'];
    expect(await suite.kubectl.ok(sub)).toBe('scale.autoscaling/p patched\n');
    expect(await suite.kubectl.ok(['scale', 'deployment', 'p', '--replicas=6'])).toBe('deployment.apps/p scaled\n');
    expect((await object('deployment', 'p')).spec.replicas).toBe(6);
  });
});

describeKubectl('kubectl 1.32 writes', () => {
  let server: RunningServer;
  let kubectl: Kubectl;

  beforeAll(async () => {
    server = await startServer();
    kubectl = await Kubectl.for(server.kubeconfig, '1.32');
  });
  afterAll(async () => {
    await kubectl?.close();
    await server?.close();
  });

  test('apply client-side, then --server-side, with a conflict and by force', async () => {
    const apply = (stdin: string, ...flags: string[]) => kubectl.run(['apply', '-f', '-', ...flags], { stdin });
    expect((await apply(deployment('old', 1))).stdout).toBe('deployment.apps/old created\n');
    expect((await apply(deployment('old', 2), '--server-side')).stdout).toBe('deployment.apps/old serverside-applied\n');
    const rejected = await apply(deployment('old', 3), '--server-side', '--field-manager=other');
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringContaining('.spec.replicas')]);
    const forced = await apply(deployment('old', 3), '--server-side', '--field-manager=other', '--force-conflicts');
    expect(forced.code).toBe(0);
    const found = JSON.parse(await kubectl.ok(['get', 'deployment', 'old', '-o', 'json', '--show-managed-fields']));
    expect([found.spec.replicas, ownersOf(found).sort()]).toEqual([3, ['kubectl Apply', 'kubectl-last-applied Apply', 'other Apply']]);
  });
});
