import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../../runtime/index.ts';
import { describeKubectl, Kubectl } from '../../support/kubectl.ts';

const chart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\n',
  'values.yaml': 'replicas: 2\nfail: ""\nexitCode: 0\n',
  'templates/deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}}
      {{- with .Values.fail }}
      annotations: {simulation.kubeloom.dev/fail: {{ . }}}
      {{- end }}
    spec: {containers: [{name: main, image: nginx}]}
`,
  'templates/service.yaml': `
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {app: {{ .Release.Name }}}
  ports: [{port: 80}]
`,
  'templates/migration.yaml': `
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migration
  annotations: {helm.sh/hook: pre-install, helm.sh/hook-delete-policy: before-hook-creation}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: busybox, command: [echo, migrated]}]}
`,
  'templates/tests/answers.yaml': `
apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-answers
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation
    simulation.kubeloom.dev/exit-code: "{{ .Values.exitCode }}"
spec: {restartPolicy: Never, containers: [{name: main, image: busybox, command: [echo, answered]}]}
`,
};

describeKubectl('helm with workloads that move', () => {
  let server: RunningServer;
  let helm: Kubectl;
  let kubectl: Kubectl;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-chart-'));
    for (const [name, content] of Object.entries(chart)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    server = await startServer({ simulate: true });
    helm = await Kubectl.for(server.kubeconfig, '1.35', 'helm');
    kubectl = await Kubectl.for(server.kubeconfig);
  });
  afterAll(async () => {
    await kubectl?.close();
    await helm?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const replicas = async (): Promise<object> =>
    JSON.parse(await kubectl.ok(['get', 'deployment', 'web', '--output', 'jsonpath={.status}']));

  test('installs and waits for hooks, pods and tests', async () => {
    await helm.ok(['install', 'web', folder, '--wait', '--timeout', '60s']);
    expect(await replicas()).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
    expect(await kubectl.ok(['logs', 'job/web-migration'])).toBe('migrated\n');
    const tested = await helm.ok(['test', 'web', '--logs', '--timeout', '60s']);
    expect(tested).toMatch(/^Phase: +Succeeded$/m);
    expect(tested).toContain('POD LOGS: web-answers\nanswered\n');
  });

  test('upgrades and waits, and goes back if pods do not become ready', async () => {
    await helm.ok(['upgrade', 'web', folder, '--wait', '--timeout', '60s', '--set', 'replicas=4']);
    expect(await replicas()).toMatchObject({ readyReplicas: 4, updatedReplicas: 4 });
    const broken = ['--set', 'replicas=4,fail=ImagePullBackOff', '--rollback-on-failure', '--timeout', '2s'];
    const { code, stderr } = await helm.run(['upgrade', 'web', folder, ...broken]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('web')]);
    expect(await kubectl.ok(['rollout', 'status', 'deployment/web'])).toContain('successfully rolled out');
    const history: object[] = JSON.parse(await helm.ok(['history', 'web', '--output', 'json']));
    expect(history).toMatchObject([
      { status: 'superseded' },
      { status: 'superseded' },
      { status: 'failed' },
      { status: 'deployed', description: 'Rollback to 2' },
    ]);
  });

  test('a test that fails is a failure, and everything is uninstalled', async () => {
    await helm.ok(['upgrade', 'web', folder, '--wait', '--timeout', '60s', '--set', 'exitCode=1']);
    expect((await helm.run(['test', 'web', '--timeout', '60s'])).code).toBe(1);
    await helm.ok(['uninstall', 'web', '--wait', '--timeout', '60s']);
    expect(await kubectl.ok(['get', 'deployments,pods,services', '--selector', 'app=web'])).toBe('');
  });
});
