import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OptionError } from '../../../runtime/options/server-options.ts';
import { admissionPlugins } from '../../../runtime/server/admission.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kubeloom-admission-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function fileOf(text: string, name = 'admission.yaml'): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';

describe('the options of admission', () => {
  test('without any, the default plugins run, in the order of all plugins', async () => {
    // kubeapiserver/options/plugins.go
    expect((await admissionPlugins({})).names).toEqual([
      'NamespaceLifecycle',
      'LimitRanger',
      'ServiceAccount',
      'TaintNodesByCondition',
      'PodSecurity',
      'Priority',
      'DefaultTolerationSeconds',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'CertificateApproval',
      'CertificateSigning',
      'ClusterTrustBundleAttest',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'PodTopologyLabels',
      'MutatingAdmissionPolicy',
      'MutatingAdmissionWebhook',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionWebhook',
      'ResourceQuota',
    ]);
  });

  test('a plugin is turned off and another on', async () => {
    const { names } = await admissionPlugins({
      enableAdmissionPlugins: ['AlwaysDeny'],
      disableAdmissionPlugins: ['NamespaceLifecycle'],
    });
    expect(names).toContain('AlwaysDeny');
    expect(names).not.toContain('NamespaceLifecycle');
  });

  test.each([
    [{ enableAdmissionPlugins: ['Nobody'] }, 'enable-admission-plugins plugin "Nobody" is unknown'],
    [{ disableAdmissionPlugins: ['toString'] }, 'disable-admission-plugins plugin "toString" is unknown'],
    [
      { enableAdmissionPlugins: ['AlwaysDeny', 'AlwaysAdmit'], disableAdmissionPlugins: ['AlwaysAdmit', 'AlwaysDeny'] },
      '[AlwaysAdmit AlwaysDeny] in enable-admission-plugins and disable-admission-plugins overlapped',
    ],
    [
      { admissionControlConfigFile: '/nowhere/file' },
      /^failed to read plugin config: unable to read admission control configuration from "\/nowhere\/file" \[/,
    ],
  ])('%j are refused', async (options, message) => {
    const outcome = admissionPlugins(options);
    await expect(outcome).rejects.toBeInstanceOf(OptionError);
    await expect(outcome).rejects.toThrow(message);
  });

  test.each([
    ['{}', "Object 'Kind' is missing in '{}'"],
    [`${header}plugin: []`, 'strict decoding error: unknown field "plugin"'],
    ['apiVersion: v9\nkind: AdmissionConfiguration', 'no kind "AdmissionConfiguration" is registered for version "v9"'],
  ])('the file %j is refused', async (text, message) => {
    const outcome = admissionPlugins({ admissionControlConfigFile: await fileOf(text) });
    await expect(outcome).rejects.toThrow(`failed to read plugin config: ${message}`);
  });

  test('a file has the configurations of plugins, or the paths of their files', async () => {
    await fileOf('limits: []', 'limits.yaml');
    const path = await fileOf(
      `${header}plugins:\n- {name: EventRateLimit, path: limits.yaml}\n- {name: PodSecurity, configuration: {a: 1}}\n`,
    );
    const { configurations } = await admissionPlugins({ admissionControlConfigFile: path });
    const texts = [...configurations].map(([name, { bytes }]) => [name, Buffer.from(bytes).toString()]);
    expect(texts).toEqual([
      ['EventRateLimit', 'limits: []'],
      ['PodSecurity', '{"a":1}'],
    ]);
  });

  test.each(['imagePolicy: {}', 'podNodeSelectorPluginConfig: {}'])(
    'a file that is older than AdmissionConfiguration is that of both older plugins: %s',
    async (text) => {
      const { configurations } = await admissionPlugins({ admissionControlConfigFile: await fileOf(text) });
      expect([...configurations.keys()]).toEqual(['ImagePolicyWebhook', 'PodNodeSelector']);
    },
  );
});
