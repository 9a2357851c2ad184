import { createPublicKey, type KeyObject } from 'node:crypto';
import { HTTPClient } from '../../../client/transport/http-client.ts';
import { proxyFromEnvironment } from '../../../client/transport/proxy-environment.ts';
import { isSuccess } from '../../../client/transport/rest-error.ts';
import { Transport } from '../../../client/transport/transport.ts';
import { decodeJson } from '../../../codec/json.ts';
import type { Clock } from '../../../machinery/clock.ts';
import { quote } from '../../../machinery/go/quote.ts';
import { parseGoURL } from '../../../machinery/go/url.ts';
import { isJsonObject } from '../../../machinery/json/values.ts';
import type { JsonObject } from '../../../machinery/object.ts';

const wellKnownPath = '/.well-known/openid-configuration';
/** Milliseconds between attempts to read the discovery document. */
const discoveryInterval = 10_000;
/** Minimum milliseconds between two reads of the key set because of unknown keys. (upstream: no limit) */
const refreshInterval = 10_000;
const defaultTimeout = 30_000;
const maxResponseBytes = 1024 * 1024;
/** The maximum number of keys used from a set. */
const maxKeys = 100;

export interface ProviderOptions {
  readonly issuer: string;
  /** The URL of the discovery document. Default: the issuer's. */
  readonly discoveryUrl?: string | undefined;
  /** PEM. Default: the system's CAs. */
  readonly certificateAuthority?: string | undefined;
  readonly clock: Clock;
  /** Milliseconds for each request to the issuer. Default: 30,000. */
  readonly timeout?: number;
  /** Called when the issuer cannot be reached or sends an invalid response. */
  readonly onError: (error: Error) => void;
}

/** A key of an issuer. */
export interface ProviderKey {
  /** The key's id; "" if it has none. */
  readonly id: string;
  readonly publicKey: KeyObject;
}

/**
 * The keys of an OpenID Connect issuer, found by its discovery document. They are kept until a token has an unknown
 * key. The document is requested in the background until it has been read. (go-oidc Provider, RemoteKeySet)
 */
export class OidcProvider {
  readonly #options: ProviderOptions;
  readonly #transport: Transport;
  readonly #client: HTTPClient;
  readonly #closing = new AbortController();
  #keysUrl: URL | undefined;
  #starting: Promise<void> | undefined;
  #keys: readonly ProviderKey[] = [];
  #refreshing: Promise<void> | undefined;
  /** Milliseconds since the epoch. */
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #cancel = (): void => {};

  constructor(options: ProviderOptions) {
    this.#options = options;
    const { certificateAuthority } = options;
    this.#transport = new Transport({
      tls: certificateAuthority ? { ca: certificateAuthority } : {},
      proxy: proxyFromEnvironment(),
    });
    this.#client = new HTTPClient({ transport: this.#transport });
    this.#start();
  }

  /** Reports whether the discovery document has been read. Waits for an attempt in progress. */
  async isInitialized(): Promise<boolean> {
    await this.#starting;
    return this.#keysUrl !== undefined;
  }

  /** Returns the keys with an id; all keys for tokens without an id. */
  keysFor(id: string | undefined): readonly ProviderKey[] {
    return id === undefined ? this.#keys : this.#keys.filter((key) => key.id === id);
  }

  /** Reads the keys again, unless they were read recently. @returns whether they were read */
  async refresh(): Promise<boolean> {
    if (this.#refreshing === undefined) {
      const now = this.#options.clock.now();
      if (now - this.#refreshedAt < refreshInterval) return false;
      this.#refreshedAt = now;
      this.#refreshing = this.#readKeys().finally(() => {
        this.#refreshing = undefined;
      });
    }
    await this.#refreshing;
    return true;
  }

  close(): void {
    this.#cancel();
    this.#closing.abort();
    this.#transport.close();
  }

  #start(): void {
    const { clock, onError } = this.#options;
    this.#starting = this.#discover()
      .catch((error: Error) => {
        if (this.#closing.signal.aborted) return;
        onError(error);
        this.#cancel = clock.after(discoveryInterval, () => this.#start());
      })
      .finally(() => {
        this.#starting = undefined;
      });
  }

  async #discover(): Promise<void> {
    const { issuer, discoveryUrl } = this.#options;
    const document = await this.#get(new URL(discoveryUrl ?? `${issuer.replace(/\/$/, '')}${wellKnownPath}`));
    if (document.issuer !== issuer) {
      throw new Error(
        `oidc: issuer did not match the issuer returned by provider, expected ${quote(issuer)} got ${quote(String(document.issuer ?? ''))}`,
      );
    }
    const keysUrl = String(document.jwks_uri ?? '');
    if (!URL.canParse(keysUrl) || new URL(keysUrl).protocol !== 'https:') {
      throw new Error(`provider did not return JWKS URL: ${quote(keysUrl)} is no URL of https`);
    }
    this.#keysUrl = new URL(keysUrl);
  }

  async #readKeys(): Promise<void> {
    const { keys } = await this.#get(this.#keysUrl as URL);
    if (!Array.isArray(keys)) throw new Error('oidc: failed to decode keys: no list');
    this.#keys = keys.slice(0, maxKeys).flatMap((key) => (isJsonObject(key) ? parseKey(key) : []));
  }

  async #get(url: URL): Promise<JsonObject> {
    const { timeout = defaultTimeout } = this.#options;
    const goUrl = parseGoURL(url.href);
    if (goUrl === undefined) throw new Error(`parse ${quote(url.href)}: invalid URL`);
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeout)]);
    const response = await this.#client.do({
      method: 'GET',
      url: goUrl,
      maxResponseBytes,
      signal,
      headers: { accept: 'application/json' },
    });
    if (response.bodyError !== undefined) throw response.bodyError;
    if (!isSuccess(response)) throw new Error(`Get "${url.href}": status ${response.status}`);
    const value = decodeJson(response.body);
    if (!isJsonObject(value)) throw new Error(`Get "${url.href}": the response is no object`);
    return value;
  }
}

/** Returns no keys for unsupported types and for encryption keys. */
function parseKey(jwk: JsonObject): ProviderKey[] {
  const { kid = '', kty, use = 'sig' } = jwk;
  if ((kty !== 'RSA' && kty !== 'EC') || use !== 'sig' || typeof kid !== 'string') return [];
  try {
    return [{ id: kid, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }];
  } catch {
    return [];
  }
}
