import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { decodeYaml } from '../../codec/yaml.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { PluginConfiguration } from '../plugin.ts';
import { type AdmissionConfiguration, decodeAdmissionConfiguration } from './admission-configuration.ts';

/** Configurations by plugin name. */
export type PluginConfigurations = ReadonlyMap<string, PluginConfiguration>;

/**
 * Reads --admission-control-config-file and the files that it names. The file may also be the configuration of one of
 * two plugins that are older than AdmissionConfiguration. (apiserver pkg/admission/config.go
 * ReadAdmissionConfiguration)
 *
 * @throws Error in upstream's words
 */
export async function loadAdmissionConfiguration(path: string): Promise<PluginConfigurations> {
  const bytes = await readFile(path).catch(({ message }: Error) => {
    throw new Error(`unable to read admission control configuration from ${JSON.stringify(path)} [${message}]`);
  });
  const { plugins = [] } = decodeOrLegacy(bytes, path);
  const directory = dirname(path);
  const configurations = new Map<string, PluginConfiguration>();
  for (const { name = '', path: file, configuration } of plugins) {
    if (configurations.has(name)) continue;
    if (configuration !== undefined) configurations.set(name, { bytes: configuration, directory });
    else if (file) {
      const at = resolve(directory, file);
      configurations.set(name, { bytes: await readFile(at), directory: dirname(at) });
    }
  }
  return configurations;
}

const legacyMembers: Readonly<Record<string, string>> = {
  ImagePolicyWebhook: 'imagePolicy',
  PodNodeSelector: 'podNodeSelectorPluginConfig',
};

function decodeOrLegacy(bytes: Uint8Array, path: string): AdmissionConfiguration {
  try {
    return decodeAdmissionConfiguration(bytes);
  } catch (error) {
    if (!isDecodeError(error) || error.message.startsWith('strict decoding error')) throw error;
    const value = decodeYaml(bytes);
    const members = isJsonObject(value) ? Object.keys(value) : [];
    if (!Object.values(legacyMembers).some((member) => members.includes(member))) throw error;
    return { plugins: Object.keys(legacyMembers).map((name) => ({ name, path: resolve(path) })) };
  }
}
