import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { AdmissionWebhookServer, patching } from '../support/admission-webhook.ts';
import { HttpClient } from '../support/http-client.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';

const labels = 'labels: {app: {{ .Release.Name }}, app.kubernetes.io/managed-by: {{ .Release.Service }}}';

/** A chart of three kinds, one of them optional. */
const chart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 0.1.0\nappVersion: "1"\n',
  'values.yaml': 'replicas: 2\ngreeting: hello\nservice: true\n',
  'templates/deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
  ${labels}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
      - name: web
        image: nginx:{{ .Chart.AppVersion }}
        envFrom: [{configMapRef: {name: {{ .Release.Name }}}}]
`,
  'templates/configmap.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}, ${labels}}
data: {greeting: {{ .Values.greeting }}}
`,
  'templates/service.yaml': `
{{- if .Values.service }}
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}, ${labels}}
spec:
  selector: {app: {{ .Release.Name }}}
  ports: [{port: 80}]
{{- end }}
`,
};

describeKubectl('helm 4', () => {
  let server: RunningServer;
  let http: HttpClient;
  let helm: Kubectl;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-chart-'));
    for (const [name, text] of Object.entries(chart)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    server = await startServer();
    http = HttpClient.for(server);
    helm = await Kubectl.for(server.kubeconfig, '1.35', 'helm');
  });
  afterAll(async () => {
    http?.close();
    await helm?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const read = async (path: string) => (await http.get(path)).json;
  const releases = async (): Promise<{ name: string; revision: string; status: string; chart: string }[]> =>
    JSON.parse(await helm.ok(['list', '--output', 'json']));

  test('installs, lists, upgrades, rolls back and uninstalls', async () => {
    const deployment = '/apis/apps/v1/namespaces/default/deployments/web';
    const configMap = '/api/v1/namespaces/default/configmaps/web';
    const service = '/api/v1/namespaces/default/services/web';

    await helm.ok(['install', 'web', folder, '--server-side=false']);
    expect(await releases()).toMatchObject([{ name: 'web', revision: '1', status: 'deployed', chart: 'web-0.1.0' }]);
    const first = await read(deployment);
    expect(first).toMatchObject({
      metadata: { annotations: { 'meta.helm.sh/release-name': 'web' }, generation: 1 },
      spec: { replicas: 2 },
    });
    const { clusterIP } = (await read(service)).spec;
    expect(clusterIP).toMatch(/^10\./);

    const wanted = ['--set', 'replicas=3,greeting=hi'];
    await helm.ok(['upgrade', 'web', folder, '--server-side=false', ...wanted]);
    expect(await read(deployment)).toMatchObject({
      metadata: { uid: first.metadata.uid, generation: 2 },
      spec: { replicas: 3 },
    });
    expect((await read(configMap)).data).toEqual({ greeting: 'hi' });
    expect((await read(service)).spec.clusterIP).toBe(clusterIP);

    await helm.ok(['upgrade', 'web', folder, '--server-side=false', ...wanted, '--set', 'service=false']);
    expect((await http.get(service)).status).toBe(404);
    await helm.ok(['rollback', 'web', '1', '--server-side=false']);
    expect((await read(configMap)).data).toEqual({ greeting: 'hello' });
    expect((await http.get(service)).status).toBe(200);
    const history: object[] = JSON.parse(await helm.ok(['history', 'web', '--output', 'json']));
    expect(history).toMatchObject([{ revision: 1 }, { revision: 2 }, { revision: 3 }, { revision: 4 }]);
    expect(await helm.ok(['get', 'values', 'web', '--revision', '2'])).toContain('greeting: hi');

    await helm.ok(['uninstall', 'web']);
    for (const path of [deployment, configMap, service]) expect((await http.get(path)).status).toBe(404);
    expect(await releases()).toEqual([]);
    expect((await read('/api/v1/namespaces/default/secrets')).items).toEqual([]);
  });

  test('prints the errors of the server', async () => {
    const args = ['install', 'bad', folder, '--server-side=false', '--set', 'replicas=-1'];
    const { code, stderr } = await helm.run(args);
    expect(code).toBe(1);
    expect(stderr).toContain('spec.replicas: Invalid value: -1: must be greater than or equal to 0');
    await helm.ok(['uninstall', 'bad']);
  });
});

/** A chart of a definition, a webhook for its objects, the webhook's service, and an object. */
const operator: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: operator\nversion: 0.1.0\n',
  'values.yaml': 'size: 1\nport: 1\ncaBundle: ""\n',
  'crds/sizes.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sizes.charts.example.com}
spec:
  group: charts.example.com
  scope: Namespaced
  names: {plural: sizes, singular: size, kind: Size, listKind: SizeList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}, checked: {type: boolean}}}}
`,
  'templates/service.yaml': `
apiVersion: v1
kind: Service
metadata: {name: hook}
spec: {type: ExternalName, externalName: 127.0.0.1}
`,
  'templates/webhooks.yaml': `
{{- range list "Mutating" "Validating" }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: {{ . }}WebhookConfiguration
metadata: {name: sizes}
webhooks:
- name: sizes.charts.example.com
  clientConfig:
    caBundle: {{ $.Values.caBundle }}
    service: {name: hook, namespace: {{ $.Release.Namespace }}, path: /{{ lower . }}, port: {{ $.Values.port }}}
  rules: [{operations: [CREATE, UPDATE], apiGroups: [charts.example.com], apiVersions: [v1], resources: [sizes]}]
  admissionReviewVersions: [v1]
  sideEffects: None
{{- end }}
`,
  'templates/size.yaml': `
apiVersion: charts.example.com/v1
kind: Size
metadata: {name: one}
spec: {size: {{ .Values.size }}}
`,
};

describeKubectl('a chart with a definition and webhooks', () => {
  let server: RunningServer;
  let http: HttpClient;
  let helm: Kubectl;
  let hooks: AdmissionWebhookServer;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubeloom-chart-'));
    for (const [name, text] of Object.entries(operator)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    hooks = await AdmissionWebhookServer.open('hook.default.svc');
    server = await startServer();
    http = HttpClient.for(server);
    helm = await Kubectl.for(server.kubeconfig, '1.35', 'helm');
  });
  afterAll(async () => {
    http?.close();
    await helm?.close();
    await server?.close();
    await hooks?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('is installed, and its webhooks judge what it upgrades', async () => {
    hooks.on('/mutating', patching({ op: 'add', path: '/spec/checked', value: true }));
    hooks.on('/validating', ({ object }) =>
      object.spec.size > 3 ? { allowed: false, status: { message: 'too big' } } : { allowed: true },
    );
    const { port } = new URL(hooks.server.url);
    const set = (size: number): string[] => ['--set', `size=${size},port=${port},caBundle=${hooks.caBundle}`];
    await helm.ok(['install', 'sizes', folder, ...set(1)]);
    const one = '/apis/charts.example.com/v1/namespaces/default/sizes/one';
    expect((await http.get(one)).json.spec).toEqual({ size: 1, checked: true });
    const { code, stderr } = await helm.run(['upgrade', 'sizes', folder, ...set(4)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"sizes.charts.example.com" denied the request: too big')]);
    expect((await http.get(one)).json.spec.size).toBe(1);
    await helm.ok(['uninstall', 'sizes']);
    expect((await http.get(one)).status).toBe(404);
  });
});
