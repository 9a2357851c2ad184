import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { decodeConfiguration, type EncryptionConfiguration } from './configuration.ts';
import { validateEncryptionConfiguration } from './validation.ts';

export interface LoadedConfiguration {
  readonly configuration: EncryptionConfiguration;
  /** `sha256:` and the hash of the file. */
  readonly contentHash: string;
}

/**
 * Reads a file. A changed hash means a changed file.
 *
 * @throws Error in upstream's words
 */
export async function readConfigurationFile(path: string): Promise<{ data: Buffer; contentHash: string }> {
  const name = `encryption provider configuration file ${quote(path)}`;
  const data = await readFile(path).catch((error: Error) => {
    throw new Error(`error reading ${name}: ${error.message}`);
  });
  if (data.length === 0) throw new Error(`${name} is empty`);
  return { data, contentHash: `sha256:${createHash('sha256').update(data).digest('hex')}` };
}

/**
 * Reads and validates a file. (pkg/server/options/encryptionconfig loadConfig)
 *
 * @param reload whether the file will be read again, which adds rules
 * @throws Error in upstream's words
 */
export async function loadConfiguration(path: string, reload: boolean): Promise<LoadedConfiguration> {
  const { data, contentHash } = await readConfigurationFile(path).catch((error: Error) => {
    throw new Error(`error while loading file: ${error.message}`);
  });
  const configuration = decode(data, path);
  const errors = validateEncryptionConfiguration(configuration, reload).map(fieldErrorMessage);
  if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
  return { configuration, contentHash };
}

function decode(data: Buffer, path: string): EncryptionConfiguration {
  try {
    return decodeConfiguration(data);
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`error decoding encryption provider configuration file ${quote(path)}: ${why}`);
  }
}
