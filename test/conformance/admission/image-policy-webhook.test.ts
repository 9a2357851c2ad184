import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AdmissionConfigurationFolder } from '../../support/admission-configuration.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { WebhookServer } from '../../support/webhook-server.ts';
import { WriteFixture } from '../../support/write-fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const apiVersion = 'imagepolicy.k8s.io/v1alpha1';
const answer = (status: object) => ({ body: { apiVersion, kind: 'ImageReview', status } });

describe.each([
  ['closed', false],
  ['open', true],
])('a webhook for images that fails %s', (_how, defaultAllow) => {
  let webhook: WebhookServer;
  let folder: AdmissionConfigurationFolder;
  let fixture: WriteFixture;
  let clock: ManualClock;
  let count = 0;

  beforeAll(async () => {
    webhook = await WebhookServer.open(() => answer({ allowed: true }));
    folder = await AdmissionConfigurationFolder.create({
      ImagePolicyWebhook: {
        imagePolicy: { kubeConfigFile: 'kubeconfig', allowTTL: 60, denyTTL: -1, retryBackoff: 1, defaultAllow },
      },
    });
    const { certificate } = webhook.authority;
    const cluster = { server: webhook.url, 'certificate-authority-data': Buffer.from(certificate).toString('base64') };
    const kubeconfig = {
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await folder.write('kubeconfig', JSON.stringify(kubeconfig));
    clock = new ManualClock();
    clock.advance(Math.max(0, Date.now() - clock.now()));
    fixture = await WriteFixture.open({
      clock,
      admissionControlConfigFile: folder.file,
      enableAdmissionPlugins: ['ImagePolicyWebhook'],
    });
  });
  afterAll(async () => {
    await fixture.close();
    await webhook.close();
    await folder.remove();
  });
  beforeEach(() => {
    webhook.requests.length = 0;
  });

  const createPod = (image: string, annotations: object = {}) =>
    fixture.create(pods, {
      metadata: { name: `p-${count++}`, annotations },
      spec: { initContainers: [{ name: 'i', image: 'first' }], containers: [{ name: 'c', image }] },
    });

  test('is asked about the images of a pod, and its yes is kept for a while', async () => {
    webhook.respond = () => answer({ allowed: true });
    const annotations = { 'mine.image-policy.k8s.io/ticket': '1', other: '2' };
    expect((await createPod('a', annotations)).status).toBe(201);
    expect((await createPod('a', annotations)).status).toBe(201);
    expect(webhook.requests.map(({ body, headers }) => [headers.authorization, body])).toEqual([
      [
        'Bearer t',
        {
          kind: 'ImageReview',
          apiVersion,
          metadata: {},
          status: { allowed: false },
          spec: {
            containers: [{ image: 'a' }, { image: 'first' }],
            annotations: { 'mine.image-policy.k8s.io/ticket': '1' },
            namespace: 'default',
          },
        },
      ],
    ]);
    clock.advance(61_000);
    await createPod('a', annotations);
    expect(webhook.requests).toHaveLength(2);
  });

  test('refuses a pod', async () => {
    for (const [status, message] of [
      [{ allowed: false, reason: 'old' }, 'image policy webhook backend denied one or more images: old'],
      [{ allowed: false }, 'one or more images rejected by webhook backend'],
    ] as const) {
      webhook.respond = () => answer(status);
      const { status: code, json } = await createPod('b');
      expect([code, json.message]).toEqual([403, `pods "${json.details.name}" is forbidden: ${message}`]);
    }
    expect(webhook.requests).toHaveLength(2);
  });

  test('that answers nothing of use is taken for a failure', async () => {
    for (const respond of [() => ({ status: 404 }), () => ({ body: '{}' }), () => ({ body: 'garbage' })]) {
      webhook.respond = respond;
      expect((await createPod('c')).status).toBe(defaultAllow ? 201 : 403);
    }
  });
});
