import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  AdmissionregistrationV1Api,
  CoreV1Api,
  KubeConfig,
  type V1MutatingWebhookConfiguration,
  type V1Pod,
} from '@kubernetes/client-node';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import { AdmissionWebhookServer } from '../support/admission-webhook.ts';

let server: RunningServer;
let hooks: AdmissionWebhookServer;
let config: KubeConfig;

beforeAll(async () => {
  server = await startServer();
  hooks = await AdmissionWebhookServer.open();
  config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
});
afterAll(async () => {
  await hooks?.close();
  await server?.close();
});

test('an admission controller that registers itself with @kubernetes/client-node, and asks the server about each pod', async () => {
  const core = config.makeApiClient(CoreV1Api);
  const registration = config.makeApiClient(AdmissionregistrationV1Api);
  const clientConfig = hooks.on('/owners', async ({ namespace, object }) => {
    const { metadata } = await core.readNamespace({ name: namespace });
    const owner = metadata?.labels?.owner;
    if (owner === undefined) return { allowed: false, status: { code: 403, message: `${namespace} has no owner` } };
    const pod: V1Pod = object;
    const labels = { ...pod.metadata?.labels, owner };
    return { allowed: true, patch: [{ op: 'add', path: '/metadata/labels', value: labels }] };
  });
  const body: V1MutatingWebhookConfiguration = {
    metadata: { name: 'owners' },
    webhooks: [
      {
        name: 'owners.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig,
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      },
    ],
  };
  const registered = await registration.createMutatingWebhookConfiguration({ body });
  expect(registered.webhooks).toMatchObject([{ failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 }]);
  await core.createNamespace({ body: { metadata: { name: 'owned', labels: { owner: 'jane' } } } });
  const pod: V1Pod = { metadata: { name: 'one' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const made = await core.createNamespacedPod({ namespace: 'owned', body: pod });
  expect(made.metadata?.labels).toEqual({ owner: 'jane' });
  await expect(core.createNamespacedPod({ namespace: 'kube-public', body: pod })).rejects.toThrow(
    /denied the request: kube-public has no owner/,
  );
});
