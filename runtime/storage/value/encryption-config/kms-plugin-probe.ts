import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../machinery/clock.ts';
import { messageOf } from '../../../machinery/errors/message-of.ts';
import { quote } from '../../../machinery/go/quote.ts';
import type { Logger } from '../../../machinery/logger.ts';
import { timeText, zeroTimeText } from '../../../machinery/scalars/time.ts';
import { hashIfNotEmpty, keyIDProblem } from '../encrypt/kmsv2/encrypted-object.ts';
import { EncryptionState, generateTransformer } from '../encrypt/kmsv2/encryption-state.ts';
import type { EnvelopeMetrics } from '../encrypt/kmsv2/envelope-metrics.ts';
import type { KMSService, StatusResponse } from '../encrypt/kmsv2/kms-service.ts';
import type { TransformationMetrics } from '../metrics.ts';
import { TransformError } from '../transformer.ts';

/** Milliseconds for which a check's result is reused: a success, and a failure. */
const positiveTTL = 20_000;
const negativeTTL = 3_000;
/** Milliseconds between checks of a healthy service, and of an unhealthy one. */
const positiveInterval = 60_000;
const negativeInterval = 10_000;
/** Milliseconds after the last healthy status until a seed no longer encrypts. */
const writeDEKSourceMaxTTL = 3 * 60_000;

export interface KMSPluginProbeOptions {
  /** The name of the provider. */
  readonly name: string;
  readonly service: KMSService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: TransformationMetrics;
  readonly envelopeMetrics: EnvelopeMetrics;
  /** Called when the service works again, or has another key. */
  readonly onRecovery: () => void;
}

/**
 * Checks the health and the key of a key management service regularly. Replaces the seed that encrypts values when the
 * key changes. (pkg/server/options/encryptionconfig kmsv2PluginProbe)
 */
export class KMSPluginProbe {
  readonly #options: KMSPluginProbeOptions;
  #state: EncryptionState | undefined;
  /** The API version in the first status. */
  #version = '';
  #last: { readonly error: Error | undefined; readonly received: number } | undefined;
  #checking: Promise<void> | undefined;
  #cancelPoll: () => void = () => undefined;
  #isClosed = false;

  constructor(options: KMSPluginProbeOptions) {
    this.#options = options;
  }

  /** @throws TransformError before the first healthy status (getCurrentState) */
  readonly state = (): EncryptionState => {
    if (this.#state === undefined) throw new TransformError('got unexpected nil transformer', { isTemporary: true });
    return this.#state;
  };

  /**
   * Checks once, and then in the background. An unhealthy service is no error, because it may start together with this
   * server.
   */
  async start(): Promise<void> {
    await this.#poll();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPoll();
    this.#options.service.close();
  }

  /** Rejects if the service is unhealthy. Concurrent checks share one result, and later checks reuse it for a while. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #poll(): Promise<void> {
    const { clock, logger, name } = this.#options;
    const isHealthy = await this.check().then(
      () => true,
      (error: Error) => {
        if (!this.#isClosed) logger.warn({ err: error, name }, 'kms plugin failed health check probe');
        return false;
      },
    );
    if (this.#isClosed) return;
    this.#cancelPoll = clock.after(isHealthy ? positiveInterval : negativeInterval, () => void this.#poll());
  }

  async #check(): Promise<void> {
    const { clock, onRecovery } = this.#options;
    const last = this.#last;
    if (last !== undefined && clock.now() - last.received < (last.error ? negativeTTL : positiveTTL)) {
      if (last.error) throw last.error;
      return;
    }
    const before = this.#state?.cacheKey;
    let error: Error | undefined;
    try {
      await this.#checkStatus();
    } catch (cause) {
      error = cause as Error;
    }
    this.#last = { error, received: clock.now() };
    if (error !== undefined) throw error;
    if (last?.error !== undefined || this.#state?.cacheKey !== before) onRecovery();
  }

  async #checkStatus(): Promise<void> {
    const { name, service } = this.#options;
    const response = await service.status().catch((error: Error) => {
      const what = `failed to perform status section of the healthz check for KMS Provider ${name}`;
      throw new Error(`${what}, error: ${error.message}`);
    });
    const problems = [...this.#problemsOf(response), ...(await this.#keyProblems(response.keyID))];
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
    throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${text}`);
  }

  *#problemsOf({ healthz, version }: StatusResponse): Generator<string, void, undefined> {
    if (healthz !== 'ok') yield `got unexpected healthz status: ${healthz}`;
    if (version !== 'v2' && version !== 'v2beta1') {
      yield `expected KMSv2 API version v2, got ${version}`;
      return;
    }
    if (this.#version === '') this.#version = version;
    if (this.#version !== version) {
      yield `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`;
    }
  }

  async #keyProblems(keyID: string): Promise<readonly string[]> {
    const { name, envelopeMetrics } = this.#options;
    const problem = keyIDProblem(keyID);
    if (problem !== undefined) {
      envelopeMetrics.recordInvalidKeyIDFromStatus(name, problem.code);
      return [`got invalid KMSv2 KeyID hash ${quote(hashIfNotEmpty(keyID))}: ${problem.message}`];
    }
    envelopeMetrics.recordKeyIDFromStatus(name, keyID);
    const failure = await this.#rotateOnKeyIDChange(keyID);
    return failure === undefined ? [] : [failure];
  }

  /** Returns an error text if there is no new seed. The old seed then works until it expires. */
  async #rotateOnKeyIDChange(keyID: string): Promise<string | undefined> {
    const { clock, service, metrics } = this.#options;
    // measured before the calls, so that the seed cannot outlive its time
    const expires = clock.now() + writeDEKSourceMaxTTL;
    const state = this.#state;
    if (state?.source.keyID === keyID) {
      this.#state = state.extended(expires);
      return undefined;
    }
    const uid = randomUUID();
    let failure = '<nil>';
    let encryptKeyID = '';
    try {
      const { transformer, source } = await generateTransformer(service, uid, metrics);
      encryptKeyID = source.keyID;
      if (encryptKeyID === keyID) {
        this.#state = new EncryptionState(transformer, source, expires);
        return undefined;
      }
    } catch (error) {
      failure = messageOf(error);
    }
    const hashes =
      `statusKeyIDHash=${quote(hashIfNotEmpty(keyID))}, encryptKeyIDHash=${quote(hashIfNotEmpty(encryptKeyID))}, ` +
      `stateKeyIDHash=${quote(hashIfNotEmpty(state?.source.keyID ?? ''))}`;
    const errState = state === undefined ? 'got unexpected nil transformer' : '<nil>';
    const until = state === undefined ? zeroTimeText : timeText(state.expires);
    return `failed to rotate DEK uid="${uid}", useSeed=true, errState=${errState}, errGen=${failure}, ${hashes}, expirationTimestamp=${until}`;
  }
}
