import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { AdmissionWebhookServer, allow, type Hook, patching, rule } from '../../../support/admission-webhook.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

const rules = [rule('configmaps')];
const large = (value = 'x'): { data: Record<string, string> } => ({
  data: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, value.repeat(8 * 1024)])),
});

describe('a webhook', () => {
  const fixture = WebhookFixture.forSuite();
  const port = (): number => Number(new URL(fixture.hooks.server.url).port);

  // endpoints cannot be on the loopback interface; unit/resources/service-resolver covers them
  const service = (name: string): Promise<unknown> =>
    fixture.create('/api/v1/namespaces/default/services', {
      metadata: { name },
      spec: { type: 'ExternalName', externalName: '127.0.0.1', ports: [{ name: 'https', port: port() }] },
    });

  test('that is a Service is called under its name', async () => {
    const namespace = await fixture.namespace();
    await service('hook');
    const { caBundle } = fixture.hooks.on('/by-service', allow);
    const reference = { name: 'hook', namespace: 'default', path: '/by-service', port: port() };
    await fixture.configure('Validating', 'by-service', { rules, clientConfig: { service: reference, caBundle } }, namespace);
    await fixture.create(configMaps(namespace), configMap('one'));
    expect(fixture.hooks.take('/by-service')).toHaveLength(1);
    expect(fixture.hooks.server.requests.at(-1)?.headers.host).toBe(`hook.default.svc:${port()}`);
    await service('other');
    const message = async (name: string): Promise<string> => {
      const clientConfig = { service: { ...reference, name }, caBundle };
      const patch = [{ op: 'replace', path: '/webhooks/0/clientConfig', value: clientConfig }];
      await fixture.send('PATCH', fixture.path('Validating', 'by-service'), patch, 'application/json-patch+json');
      return (await fixture.send('POST', configMaps(namespace), configMap('two'))).json.message;
    };
    expect(await message('other')).toMatch(
      /failed to call webhook: Post "https:\/\/other.default.svc:\d+\/by-service\?timeout=5s": tls: .* valid for hook.default.svc, not other.default.svc$/,
    );
    expect(await message('none')).toMatch(/Post "https:\/\/none.default.svc:\d+\/.*": service "none" not found$/);
  });

  test('sees large objects, which worker threads write, and changes them', async () => {
    const namespace = await fixture.namespace();
    const hook = patching({ op: 'add', path: '/data/added', value: 'yes' });
    await fixture.configure('Mutating', 'large-mutating', { rules, hook }, namespace);
    const check: Hook = ({ object }) => ({ allowed: object.data.added === 'yes', warnings: ['large'] });
    await fixture.configure('Validating', 'large-validating', { rules, hook: check }, namespace);
    const { status, json, headers } = await fixture.send('POST', configMaps(namespace), configMap('one', large()));
    expect([status, json.data.added, headers.warning]).toEqual([201, 'yes', '299 - "large"']);
  });

  test('may make a small object large: the write starts over on a worker thread', async () => {
    const namespace = await fixture.namespace();
    const hook = patching({ op: 'add', path: '/data', value: large().data });
    await fixture.configure('Mutating', 'grows', { rules, hook }, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('one'));
    expect(Object.keys(json.data)).toHaveLength(20);
    expect(fixture.hooks.take('/grows')).toHaveLength(2);
    const copies = Array.from({ length: 15 }, (_, n) => ({ op: 'copy', from: '/data/a', path: `/data/copy-${n}` }));
    await fixture.configure('Mutating', 'copies', { rules, hook: patching(...copies) }, namespace);
    await fixture.send('DELETE', fixture.path('Mutating', 'grows'));
    const body = configMap('two', { data: { a: 'x'.repeat(20_000) } });
    expect(Object.keys((await fixture.create(configMaps(namespace), body)).data)).toHaveLength(16);
    expect(fixture.hooks.take('/copies')).toHaveLength(2);
  });

  test('that is called for its own writes ends, and one that writes the same object does, too', async () => {
    const namespace = await fixture.namespace();
    let depth = 0;
    const recursive: Hook = async () => {
      await fixture.send('POST', configMaps(namespace), configMap(`inner-${depth++}`)).catch(() => undefined);
      return { allowed: true };
    };
    await fixture.configure('Validating', 'recursive', { rules, hook: recursive, timeoutSeconds: 1 }, namespace);
    const { json } = await fixture.send('POST', configMaps(namespace), configMap('outer'));
    expect(json.message).toMatch(/context deadline exceeded/);
    expect((await fixture.send('DELETE', fixture.path('Validating', 'recursive'))).status).toBe(200);
    await fixture.create(configMaps(namespace), configMap('same', { data: { a: '1' } }));
    const update = [rule('configmaps', 'UPDATE')];
    const same: Hook = async ({ userInfo, object }) => {
      if (object.data.inner === undefined) {
        await fixture.send('PATCH', configMaps(namespace, 'same'), { data: { inner: '1' } }, 'application/merge-patch+json');
      }
      return { allowed: userInfo.username === 'kubernetes-admin' };
    };
    await fixture.configure('Validating', 'same-object', { rules: update, hook: same }, namespace);
    const patch = { data: { b: '2' } };
    const outer = await fixture.send('PATCH', configMaps(namespace, 'same'), patch, 'application/merge-patch+json');
    expect(outer.json.data).toEqual({ a: '1', b: '2', inner: '1' });
  });
});

describe('the configuration of the webhook plugins', () => {
  let folder: string;
  let hooks: AdmissionWebhookServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webhooks-'));
    hooks = await AdmissionWebhookServer.open();
  });
  afterAll(async () => {
    await hooks.close();
    await rm(folder, { recursive: true });
  });

  test('says as whom each host is called', async () => {
    const { certificate, key } = hooks.server.clientPair('apiserver');
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key), token: 'secret' };
    const host = new URL(hooks.server.url).host;
    const users = [
      { name: host, user },
      { name: '*', user: { token: 'others' } },
    ];
    const kubeConfigFile = join(folder, 'kubeconfig');
    await writeFile(kubeConfigFile, JSON.stringify({ kind: 'Config', apiVersion: 'v1', users }));
    const configuration = {
      kind: 'WebhookAdmissionConfiguration',
      apiVersion: 'apiserver.config.k8s.io/v1',
      kubeConfigFile,
    };
    const admissionControlConfigFile = join(folder, 'admission.yaml');
    await writeFile(
      admissionControlConfigFile,
      JSON.stringify({
        kind: 'AdmissionConfiguration',
        apiVersion: 'apiserver.config.k8s.io/v1',
        plugins: [{ name: 'ValidatingAdmissionWebhook', configuration }],
      }),
    );
    const server = await startServer({ admissionControlConfigFile });
    const http = HttpClient.for(server);
    try {
      const webhook = { name: 'a.example.com', rules, sideEffects: 'None', admissionReviewVersions: ['v1'] };
      const configured = { metadata: { name: 'a' }, webhooks: [{ ...webhook, clientConfig: hooks.on('/a', allow) }] };
      const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
      const made = await http.send('POST', path, JSON.stringify(configured), 'application/json');
      expect(made.status).toBe(201);
      await http.send('POST', configMaps('default'), JSON.stringify(configMap('one')), 'application/json');
      expect(hooks.server.requests.map(({ clientName, headers }) => [clientName, headers.authorization])).toEqual([
        ['apiserver', 'Bearer secret'],
      ]);
      expect(hooks.server.requests[0]?.headers['user-agent']).toBe('kube-apiserver-admission');
    } finally {
      http.close();
      await server.close();
    }
  });
});
