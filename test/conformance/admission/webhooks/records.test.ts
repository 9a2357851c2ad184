import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startServer } from '../../../../runtime/index.ts';
import { AdmissionWebhookServer, deny, type Hook, patching, rule } from '../../../support/admission-webhook.ts';
import { AuditLog } from '../../../support/audit-log.ts';
import { HttpClient } from '../../../support/http-client.ts';
import { configMap, configMaps, WebhookFixture } from './webhook-fixture.ts';

const rules = [rule('configmaps')];

describe('the audit event of a write', () => {
  let log: AuditLog;
  let hooks: AdmissionWebhookServer;

  beforeAll(async () => {
    log = await AuditLog.withRules([
      { level: 'Request', resources: [{ group: '', resources: ['configmaps'] }], namespaces: ['default'] },
      { level: 'Metadata', resources: [{ group: '', resources: ['configmaps'] }] },
    ]);
    hooks = await AdmissionWebhookServer.open();
  });
  afterAll(async () => {
    await hooks.close();
    await log.remove();
  });

  test('says what webhooks have done, and at the level Request what they have patched', async () => {
    const server = await startServer({ auditPolicyFile: log.policyFile, auditLogPath: log.path });
    const http = HttpClient.for(server);
    const post = async (path: string, body: object): Promise<void> => {
      const { status, json } = await http.send('POST', path, JSON.stringify(body), 'application/json');
      if (status !== 201) throw new Error(JSON.stringify(json));
    };
    const at = '/apis/admissionregistration.k8s.io/v1';
    const webhook = { sideEffects: 'None', admissionReviewVersions: ['v1'], rules };
    const operation = { op: 'add', path: '/data', value: { a: '1' } };
    const annotating: Hook = () => ({
      allowed: true,
      patch: [operation],
      auditAnnotations: { seen: 'yes', 'not/a/key': 'no' },
    });
    const down = { url: 'https://127.0.0.1:1/down', caBundle: hooks.caBundle };
    try {
      await post(`${at}/mutatingwebhookconfigurations`, {
        metadata: { name: 'm' },
        webhooks: [
          { ...webhook, name: 'patches.example.com', clientConfig: hooks.on('/m', annotating) },
          { ...webhook, name: 'down.example.com', clientConfig: down, failurePolicy: 'Ignore' },
        ],
      });
      await post(`${at}/validatingwebhookconfigurations`, {
        metadata: { name: 'v' },
        webhooks: [{ ...webhook, name: 'absent.example.com', clientConfig: down, failurePolicy: 'Ignore' }],
      });
      await post(configMaps('default'), configMap('one'));
      await post(configMaps('kube-public'), configMap('one'));
    } finally {
      http.close();
      await server.close();
    }
    const events = (await log.events()).filter(({ stage }) => stage === 'ResponseComplete');
    const annotations = (namespace: string) =>
      events.find(({ verb, objectRef }) => verb === 'create' && objectRef.namespace === namespace)?.annotations;
    const mutation = (name: string, mutated: boolean): string =>
      JSON.stringify({ configuration: 'm', webhook: `${name}.example.com`, mutated });
    const common = {
      'mutation.webhook.admission.k8s.io/round_0_index_0': mutation('patches', true),
      'mutation.webhook.admission.k8s.io/round_0_index_1': mutation('down', false),
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_1': 'down.example.com',
      'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'absent.example.com',
      'patches.example.com/seen': 'yes',
    };
    const patch = {
      'patch.webhook.admission.k8s.io/round_0_index_0': JSON.stringify({
        configuration: 'm',
        webhook: 'patches.example.com',
        patch: [operation],
        patchType: 'JSONPatch',
      }),
    };
    expect(annotations('default')).toEqual(expect.objectContaining({ ...common, ...patch }));
    expect(annotations('kube-public')).toEqual(expect.objectContaining(common));
    expect(annotations('kube-public')).not.toHaveProperty(Object.keys(patch));
  });
});

describe('metrics', () => {
  const fixture = WebhookFixture.forSuite();

  test('count calls, rejections, failures that are ignored, and what conditions exclude', async () => {
    const namespace = await fixture.namespace();
    const patches = patching({ op: 'add', path: '/data', value: {} });
    const matchConditions = [{ name: 'x', expression: "object.metadata.name != 'excluded'" }];
    const create = (name: string) => fixture.send('POST', configMaps(namespace), configMap(name));
    await fixture.configure('Mutating', 'm', { rules, hook: patches, matchConditions }, namespace);
    await create('one');
    await create('excluded');
    const failing: Hook = () => ({ sent: { status: 500 } });
    await fixture.configure('Validating', 'v', { rules, hook: failing, failurePolicy: 'Ignore' }, namespace);
    await create('two');
    await fixture.configure('Validating', 'v2', { rules, hook: deny('no') }, namespace);
    await create('three');
    // the patch changes only this object, and the second round evaluates the conditions again
    const large = configMap('four', { data: { a: 'x'.repeat(70_000) } });
    await fixture.send('POST', configMaps(namespace), large);
    const lines = (await fixture.suite.http.get('/metrics')).body.toString().split('\n');
    const own = lines.filter((line) => line.includes('.example.com') && !line.includes('_bucket'));
    const expected = [
      'webhook_request_total{code="200",name="m.example.com",operation="CREATE",rejected="false",type="admit"} 4',
      'webhook_request_total{code="500",name="v.example.com",operation="CREATE",rejected="false",type="validating"} 3',
      'webhook_request_total{code="400",name="v2.example.com",operation="CREATE",rejected="true",type="validating"} 2',
      'webhook_rejection_count{error_type="no_error",name="v2.example.com",operation="CREATE",rejection_code="400",type="validating"} 2',
      'webhook_fail_open_count{name="v.example.com",type="validating"} 3',
      'webhook_admission_duration_seconds_count{name="m.example.com",operation="CREATE",rejected="false",type="admit"} 4',
      'match_condition_exclusions_total{kind="webhook",name="m.example.com",operation="CREATE",type="admit"} 1',
      'match_condition_evaluation_seconds_count{kind="webhook",name="m.example.com",operation="CREATE",type="admit"} 6',
    ];
    expect(own).toEqual(expect.arrayContaining(expected.map((line) => `apiserver_admission_${line}`)));
  });
});
