import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import { cipherSuites, tlsVersion } from '../../machinery/tls/cipher-suites.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { KeyPair } from '../x509-certificate.ts';
import type { ServedCertificates, TlsSettings } from './contexts.ts';
import { type NamedCertKey, parseNamedCertKey } from './named-certificates.ts';
import { ServingContent } from './serving-content.ts';

export interface ServingCertificatesOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface NamedContent {
  readonly content: ServingContent;
  readonly names: readonly string[];
}

/** The certificates in the options, with the current content of their files. (SecureServingOptions.ApplyTo) */
export class ServingCertificates {
  readonly #default: ServingContent | undefined;
  readonly #named: readonly NamedContent[];

  private constructor(serving: ServingContent | undefined, named: readonly NamedContent[]) {
    this.#default = serving;
    this.#named = named;
  }

  /** @throws OptionError */
  static async open(options: ServingCertificatesOptions): Promise<ServingCertificates> {
    const { tlsCertFile, tlsPrivateKeyFile, tlsSNICertKeys = [] } = options.options;
    if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
      throw new OptionError('--tls-cert-file and --tls-private-key-file must be set together');
    }
    const keys = tlsSNICertKeys.map(parseNamedCertKey);
    const opened: ServingContent[] = [];
    const open = async (flags: string, { certFile, keyFile }: Omit<NamedCertKey, 'names'>): Promise<ServingContent> => {
      const content = await ServingContent.open({ ...options, flags, certFile, keyFile });
      opened.push(content);
      return content;
    };
    try {
      const serving =
        tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
          ? await open('--tls-cert-file, --tls-private-key-file', { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile })
          : undefined;
      const named: NamedContent[] = [];
      for (const key of keys) {
        named.push({ content: await open('failed to load SNI cert and key', key), names: key.names });
      }
      return new ServingCertificates(serving, named);
    } catch (error) {
      for (const content of opened) content.close();
      throw error;
    }
  }

  /** Undefined if the server's own certificate is served. */
  get configured(): KeyPair | undefined {
    return this.#default?.pair;
  }

  /** @param own the server's own certificate */
  served(own: KeyPair): Pick<ServedCertificates, 'serving' | 'named'> {
    const named = this.#named.map(({ content, names }) => ({ pair: content.pair, names }));
    return { serving: this.#default?.pair ?? own, named };
  }

  /** Calls `listener` when a certificate has changed. */
  onChange(listener: () => void): void {
    for (const content of this.#contents) content.onChange(listener);
  }

  /** Reads all files again. Resolves when changes are in force. */
  async refresh(): Promise<void> {
    await Promise.all(this.#contents.map((content) => content.refresh()));
  }

  close(): void {
    for (const content of this.#contents) content.close();
  }

  get #contents(): readonly ServingContent[] {
    const named = this.#named.map(({ content }) => content);
    return this.#default === undefined ? named : [this.#default, ...named];
  }
}

/**
 * Logs a warning for insecure cipher suites.
 *
 * @throws OptionError for unknown versions and cipher suites
 */
export function tlsSettings({ tlsMinVersion, tlsCipherSuites }: ServerOptions, logger: Logger): TlsSettings {
  const { ciphers, insecure } = cipherSuites(tlsCipherSuites);
  for (const name of insecure) logger.warn({ cipher: name }, `Use of insecure cipher '${name}' detected.`);
  return { ciphers, minVersion: tlsVersion(tlsMinVersion || undefined) };
}
