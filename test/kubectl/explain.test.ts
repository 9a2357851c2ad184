import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { builtDescriptions, missingDescriptions } from '../support/built-descriptions.ts';
import { describeKubectl, Kubectl } from '../support/kubectl.ts';
import { describeUnless } from '../support/skipping.ts';

const main = fileURLToPath(new URL('../../dist/runtime/cli/main.js', import.meta.url));

/** The argument of kubectl explain, and the type and field in its output. */
const fields: readonly (readonly [asked: string, type: string, field: string])[] = [
  ['pods', 'io.k8s.api.core.v1.Pod', ''],
  ['pods.metadata', 'io.k8s.api.core.v1.Pod', 'metadata'],
  ['pods.metadata.ownerReferences', 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'ownerReferences'],
  ['pods.spec.dnsPolicy', 'io.k8s.api.core.v1.PodSpec', 'dnsPolicy'],
  ['pods.spec.os', 'io.k8s.api.core.v1.PodSpec', 'os'],
  ['pods.spec.containers.restartPolicyRules', 'io.k8s.api.core.v1.Container', 'restartPolicyRules'],
  ['configmaps.binaryData', 'io.k8s.api.core.v1.ConfigMap', 'binaryData'],
  ['services.spec.clusterIP', 'io.k8s.api.core.v1.ServiceSpec', 'clusterIP'],
  ['nodes.status.conditions.type', 'io.k8s.api.core.v1.NodeCondition', 'type'],
  ['deployments.spec.progressDeadlineSeconds', 'io.k8s.api.apps.v1.DeploymentSpec', 'progressDeadlineSeconds'],
  ['jobs.spec.podFailurePolicy', 'io.k8s.api.batch.v1.JobSpec', 'podFailurePolicy'],
  ['cronjobs.spec.schedule', 'io.k8s.api.batch.v1.CronJobSpec', 'schedule'],
  ['hpa.spec.metrics', 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec', 'metrics'],
  ['networkpolicies.spec.egress', 'io.k8s.api.networking.v1.NetworkPolicySpec', 'egress'],
  ['pdb.spec.minAvailable', 'io.k8s.api.policy.v1.PodDisruptionBudgetSpec', 'minAvailable'],
  ['roles.rules.verbs', 'io.k8s.api.rbac.v1.PolicyRule', 'verbs'],
  ['storageclasses.provisioner', 'io.k8s.api.storage.v1.StorageClass', 'provisioner'],
  ['leases.spec.holderIdentity', 'io.k8s.api.coordination.v1.LeaseSpec', 'holderIdentity'],
  ['resourceclaims.spec.devices', 'io.k8s.api.resource.v1.ResourceClaimSpec', 'devices'],
  ['apiservices.spec.caBundle', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec', 'caBundle'],
  [
    'crds.spec.versions.schema.openAPIV3Schema.x-kubernetes-int-or-string',
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    'x-kubernetes-int-or-string',
  ],
  ['tokenreviews.spec.audiences', 'io.k8s.api.authentication.v1.TokenReviewSpec', 'audiences'],
];

/** kubectl breaks lines. */
const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

describeUnless(missingDescriptions)('a server that was built with descriptions', () => {
  describeKubectl('kubectl explain', () => {
    let folder: string;
    let server: ChildProcess | undefined;
    let kubectl: Kubectl;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kubeloom-explain-'));
      const kubeconfig = join(folder, 'kubeconfig');
      server = await started(['--storage=memory', '--secure-port=0', `--write-kubeconfig=${kubeconfig}`]);
      kubectl = await Kubectl.for(await readFile(kubeconfig, 'utf8'));
    });
    afterAll(async () => {
      await kubectl?.close();
      if (server !== undefined) await ended(server);
      await rm(folder, { recursive: true, force: true });
    });

    test.each(fields)('%s', async (asked, type, field) => {
      const description = builtDescriptions.field(type, field) ?? '';
      expect(description).not.toBe('');
      expect(withoutSpace(await kubectl.ok(['explain', asked]))).toContain(withoutSpace(description));
    });

    test('lists the values of an enum', async () => {
      const explained = await kubectl.ok(['explain', 'pods.spec.containers.imagePullPolicy']);
      expect(explained).toMatch(/^ENUM:\n\s+Always\n\s+IfNotPresent\n\s+Never$/m);
      expect(explained).toContain('Possible enum values:');
    });
  });
});

/** Resolves when the server reports that it serves. */
function started(flags: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk;
      if (said.includes('Try next')) resolve(child);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${said}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}
