import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import type { HealthCheck } from '../../../machinery/health-check.ts';
import type { Logger } from '../../../machinery/logger.ts';
import { OptionError } from '../../../machinery/options/option-error.ts';
import { EnvelopeMetrics } from '../encrypt/kmsv2/envelope-metrics.ts';
import { TransformationMetrics } from '../metrics.ts';
import type { ResourceTransformers } from '../transformer.ts';
import { DynamicTransformers, type EncryptionProviders } from './dynamic-transformers.ts';
import { loadConfiguration, readConfigurationFile } from './load.ts';
import { buildProviders } from './providers.ts';
import { ReloadMetrics } from './reload-metrics.ts';

export interface EncryptionConfigOptions {
  /** The path of the file. */
  readonly path: string;
  /** Whether to read the file again when it changes. */
  readonly reload: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Milliseconds between reads of the file, and before the first retry after a failure. */
const pollInterval = 60_000;
const firstRetry = 1_000;
/** The least milliseconds that new key management services get to become healthy, and the interval of checks. */
const minHealthPeriod = 10_000;
const healthInterval = 100;

/**
 * The encryption of stored objects by a configuration file that may change. (pkg/server/options/encryptionconfig
 * LoadEncryptionConfig, and its controller)
 */
export class EncryptionConfig {
  readonly #options: EncryptionConfigOptions;
  readonly #metrics = new TransformationMetrics();
  readonly #envelopeMetrics: EnvelopeMetrics;
  readonly #reloads: ReloadMetrics;
  #transformers: DynamicTransformers | undefined;
  #cancelPoll: () => void = () => undefined;
  readonly #replaced = new Set<() => void>();
  #failures = 0;
  #isClosed = false;

  private constructor(options: EncryptionConfigOptions) {
    const id = apiServerID();
    this.#options = options;
    this.#envelopeMetrics = new EnvelopeMetrics(options.clock, id);
    this.#reloads = new ReloadMetrics(options.clock, id);
  }

  /** @throws OptionError in upstream's words */
  static async load(options: EncryptionConfigOptions): Promise<EncryptionConfig> {
    const config = new EncryptionConfig(options);
    try {
      const { providers, contentHash } = await config.#load();
      config.#reloads.contentHash = contentHash;
      config.#transformers = new DynamicTransformers(providers);
    } catch (error) {
      throw new OptionError(messageOf(error));
    }
    if (options.reload) config.#schedule(pollInterval);
    return config;
  }

  get transformers(): ResourceTransformers {
    return this.#current;
  }

  /** Fails while a key management service fails. Absent if none can be configured. */
  get healthCheck(): HealthCheck | undefined {
    if (!this.#options.reload && this.#current.providers.probes.length === 0) return undefined;
    return { name: 'kms-providers', check: () => checkProviders(this.#current.providers) };
  }

  renderMetrics(): string {
    return this.#metrics.render() + this.#envelopeMetrics.render() + this.#reloads.render();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPoll();
    for (const close of this.#replaced) close();
    this.#current.providers.close();
  }

  get #current(): DynamicTransformers {
    if (this.#transformers === undefined) throw new Error('the encryption configuration is not loaded');
    return this.#transformers;
  }

  async #load(): Promise<{ providers: EncryptionProviders; contentHash: string }> {
    const { path, reload, clock, logger } = this.#options;
    const { configuration, contentHash } = await loadConfiguration(path, reload).catch((error: Error) => {
      throw new Error(`error while parsing file: ${error.message}`);
    });
    let providers: EncryptionProviders | undefined;
    const context = {
      clock,
      logger,
      metrics: this.#metrics,
      envelopeMetrics: this.#envelopeMetrics,
      onRecovery: () => {
        if (this.#transformers?.providers === providers) this.#transformers?.notify();
      },
    };
    providers = await buildProviders(configuration, context).catch((error: Error) => {
      throw new Error(`error while building transformers: ${error.message}`);
    });
    return { providers, contentHash };
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return;
    this.#cancelPoll = this.#options.clock.after(ms, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const { path, logger } = this.#options;
    try {
      await this.#reload();
      this.#failures = 0;
      this.#schedule(pollInterval);
    } catch (error) {
      if (this.#isClosed) return;
      this.#reloads.record('failure');
      logger.error({ err: error }, `error processing encryption config file ${path}`);
      this.#schedule(Math.min(pollInterval, firstRetry * 2 ** this.#failures));
      this.#failures += 1;
    }
  }

  /** @throws Error if the changed file cannot be used; the old configuration stays */
  async #reload(): Promise<void> {
    const { contentHash } = await readConfigurationFile(this.#options.path);
    if (contentHash === this.#reloads.contentHash) return;
    const loaded = await this.#load();
    try {
      await this.#waitUntilHealthy(loaded.providers);
    } catch (error) {
      loaded.providers.close();
      throw error;
    }
    if (this.#isClosed) {
      loaded.providers.close();
      return;
    }
    this.#reloads.record('success');
    this.#reloads.contentHash = loaded.contentHash;
    this.#closeLater(this.#current.replace(loaded.providers));
    this.#options.logger.info({ hash: loaded.contentHash }, 'loaded new encryption config');
  }

  /** (validateNewTransformersHealth) */
  async #waitUntilHealthy(providers: EncryptionProviders): Promise<void> {
    const { clock } = this.#options;
    const end = clock.now() + Math.max(minHealthPeriod, providers.closeGracePeriod);
    for (;;) {
      try {
        await checkProviders(providers);
        return;
      } catch (error) {
        if (this.#isClosed || clock.now() >= end) {
          throw new Error(
            `health check for new transformers failed, polling error timed out waiting for the condition: ${messageOf(error)}`,
          );
        }
      }
      await new Promise<void>((resolve) => clock.after(healthInterval, resolve));
    }
  }

  /** Closes old services later, because running requests may still use them. */
  #closeLater({ closeGracePeriod, close }: EncryptionProviders): void {
    const closeNow = (): void => {
      this.#replaced.delete(closeNow);
      cancel();
      close();
    };
    const cancel = this.#options.clock.after(closeGracePeriod, closeNow);
    this.#replaced.add(closeNow);
  }
}

/** Throws an error that names the failing services. (kmsHealthChecker) */
async function checkProviders({ probes }: EncryptionProviders): Promise<void> {
  const errors: string[] = [];
  for (const [index, probe] of probes.entries()) {
    await probe.check().catch((error: Error) => errors.push(`kms-provider-${index}: ${error.message}`));
  }
  if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
}

/** (pkg/server/config.go NewConfig) */
function apiServerID(): string {
  const hash = createHash('sha256').update(hostname()).digest().subarray(0, 16);
  return `apiserver-${base32(hash)}`;
}

const base32Digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes bytes in lower-case base32 without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32Digits[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}
