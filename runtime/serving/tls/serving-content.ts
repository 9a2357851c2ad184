import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { DynamicFile } from '../../machinery/files/dynamic-file.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError } from '../../options/server-options.ts';
import type { KeyPair } from '../x509-certificate.ts';

export interface ServingContentOptions {
  /** The flags of the two files, for errors. */
  readonly flags: string;
  readonly certFile: string;
  readonly keyFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A certificate and its key in two files, which may change while the server runs. The earlier pair stays in use while
 * the files do not match, for example when only one has been written. (dynamiccertificates.DynamicCertKeyPairContent)
 */
export class ServingContent {
  readonly #options: ServingContentOptions;
  readonly #certificate: DynamicFile<string>;
  readonly #key: DynamicFile<string>;
  readonly #listeners: (() => void)[] = [];
  #pair: KeyPair;

  private constructor(options: ServingContentOptions, files: readonly [DynamicFile<string>, DynamicFile<string>]) {
    this.#options = options;
    [this.#certificate, this.#key] = files;
    this.#pair = { certificate: this.#certificate.value, key: this.#key.value };
    for (const file of files) file.onChange(() => this.#update());
  }

  /** @throws OptionError if a file cannot be read, or the two do not match */
  static async open(options: ServingContentOptions): Promise<ServingContent> {
    const { flags, certFile, keyFile, clock, logger } = options;
    const open = (path: string): Promise<DynamicFile<string>> =>
      DynamicFile.open({
        path,
        clock,
        parse: (text) => text,
        onError: (error) => logger.error({ err: error, path }, 'the serving certificate could not be read again'),
      });
    const opened: DynamicFile<string>[] = [];
    try {
      for (const path of [certFile, keyFile]) opened.push(await open(path));
      checkPair(elementAt(opened, 0).value, elementAt(opened, 1).value);
    } catch (error) {
      for (const file of opened) file.close();
      throw new OptionError(`${flags}: ${messageOf(error)}`);
    }
    return new ServingContent(options, [elementAt(opened, 0), elementAt(opened, 1)]);
  }

  get pair(): KeyPair {
    return this.#pair;
  }

  /** Calls `listener` when the pair has changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the files again. Resolves when a change is in force. */
  async refresh(): Promise<void> {
    await this.#certificate.refresh();
    await this.#key.refresh();
  }

  close(): void {
    this.#certificate.close();
    this.#key.close();
  }

  #update(): void {
    const { certFile: path, logger } = this.#options;
    const pair = { certificate: this.#certificate.value, key: this.#key.value };
    try {
      checkPair(pair.certificate, pair.key);
    } catch (error) {
      logger.warn({ path, why: messageOf(error) }, 'the serving certificate stays as it was');
      return;
    }
    this.#pair = pair;
    logger.info({ path }, 'loaded a new serving certificate');
    for (const listener of this.#listeners) listener();
  }
}

/** @throws Error if one is invalid, or they do not match (tls.X509KeyPair) */
function checkPair(certificate: string, key: string): void {
  if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the key does not match the certificate');
  }
}
