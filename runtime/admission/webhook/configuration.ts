import { readFileSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { type KubeconfigUsers, parseKubeconfigUsers } from '../../client/kubeconfig.ts';
import { type ConfigurationKind, decodeConfiguration, struct, type TypeMeta } from '../../codec/configuration.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { quote } from '../../machinery/go/quote.ts';
import { string } from '../../machinery/prune/values.ts';
import type { PluginConfiguration } from '../plugin.ts';

/** (apiserver pkg/admission/plugin/webhook/config/apis/webhookadmission) */
interface WebhookAdmission extends TypeMeta {
  readonly kubeConfigFile?: string;
}

const webhookAdmission = (version: string) =>
  struct<WebhookAdmission>(`${version}.WebhookAdmission`, { apiVersion: string, kind: string, kubeConfigFile: string });

const kinds: readonly ConfigurationKind<WebhookAdmission>[] = [
  { kind: 'WebhookAdmissionConfiguration', versions: { 'apiserver.config.k8s.io/v1': webhookAdmission('v1') } },
  { kind: 'WebhookAdmission', versions: { 'apiserver.config.k8s.io/v1alpha1': webhookAdmission('v1alpha1') } },
];

/**
 * Reads the credentials for webhooks from the kubeconfig named in the plugin's configuration. (config.LoadConfig)
 *
 * @throws Error
 */
export function loadWebhookUsers(configuration: PluginConfiguration | undefined): KubeconfigUsers {
  if (configuration === undefined) return { users: new Map() };
  const text = Buffer.from(configuration.bytes).toString();
  const kind = kinds.find((one) => text.includes('v1alpha1') === (one.kind === 'WebhookAdmission')) ?? elementAt(kinds, 0);
  const { kubeConfigFile = '' } = decodeConfiguration(configuration.bytes, kind);
  if (!isAbsolute(kubeConfigFile)) {
    throw new Error(`kubeConfigFile: Invalid value: ${quote(kubeConfigFile)}: must be an absolute file path`);
  }
  return parseKubeconfigUsers(readFileSync(kubeConfigFile, 'utf8'), dirname(kubeConfigFile));
}
