import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { EncryptionConfig } from '../../storage/value/encryption-config/encryption-config.ts';

/**
 * Loads the encryption of stored objects; undefined if there is none.
 *
 * @throws OptionError for an invalid file
 */
export async function loadEncryption(
  { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload = false }: ServerOptions,
  clock: Clock,
  logger: Logger,
): Promise<EncryptionConfig | undefined> {
  if (path === undefined) {
    if (!reload) return undefined;
    throw new OptionError('--encryption-provider-config-automatic-reload must be set with --encryption-provider-config');
  }
  const { EncryptionConfig } = await import('../../storage/value/encryption-config/encryption-config.ts');
  return EncryptionConfig.load({ path, reload, clock, logger });
}
