import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { CompactSign } from 'jose/jws/compact/sign';
import { type SentResponse, WebhookServer } from './webhook-server.ts';

interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** An OpenID Connect issuer on 127.0.0.1. */
export class OidcIssuer {
  readonly server: WebhookServer;
  /** The published keys; the first signs. */
  keys: IssuerKey[];
  /** Replaces the response with the keys. */
  respondKeys: (() => SentResponse | 'hang') | undefined;

  private constructor(server: WebhookServer) {
    this.server = server;
    this.keys = [OidcIssuer.newKey('RS256')];
  }

  static async open(): Promise<OidcIssuer> {
    const issuer: OidcIssuer = new OidcIssuer(await WebhookServer.open(({ url }) => issuer.#respond(url)));
    return issuer;
  }

  static newKey(alg: 'RS256' | 'ES256'): IssuerKey {
    const pair = alg === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { kid: randomUUID(), alg, ...pair };
  }

  get url(): string {
    return this.server.url;
  }

  /** The number of requests for the keys. */
  get keyRequests(): number {
    return this.server.requests.filter(({ url }) => url === '/keys').length;
  }

  /** Signs claims, which default to those of every ID token. */
  sign(claims: object = {}, header: object = {}, key = this.keys[0]): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.url, aud: 'client', sub: 'jane', exp: now + 600, iat: now, ...claims };
    return new CompactSign(Buffer.from(JSON.stringify(all)))
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  #respond(url: string): SentResponse | 'hang' {
    if (url === '/.well-known/openid-configuration' || url === '/other/discovery') {
      return { body: { issuer: this.url, jwks_uri: `${this.url}/keys` } };
    }
    if (this.respondKeys !== undefined) return this.respondKeys();
    const keys = this.keys.map(({ kid, alg, publicKey }) => ({
      kid,
      alg,
      use: 'sig',
      ...publicKey.export({ format: 'jwk' }),
    }));
    return url === '/keys' ? { body: { keys } } : { status: 404 };
  }
}
