import { withAnonymous } from '../../authentication/anonymous.ts';
import { type Authenticator, unionAuthenticator } from '../../authentication/authenticator.ts';
import { requestHeaderAuthenticator, requestHeaderMatcher, standardRequestHeaders } from '../../authentication/request-header.ts';
import type { ServiceAccounts } from '../../authentication/service-account/service-accounts.ts';
import { bearerTokenAuthenticator, subprotocolAuthenticator } from '../../authentication/token/bearer-token.ts';
import type { TokenAuthenticator } from '../../authentication/token/token.ts';
import { type CertificatePool, parseCertificatePool } from '../../authentication/x509/ca-bundle.ts';
import { x509Authenticator } from '../../authentication/x509/x509.ts';
import type { ClusterAuthenticationInfo } from '../../controlplane/cluster-authentication-trust/cluster-authentication-info.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { SigningAuthority } from '../../serving/signing-authority.ts';
import { authenticationDelegate } from '../delegated/config.ts';
import { AnonymousAccess } from './anonymous-access.ts';
import { AuthenticationTrust } from './authentication-trust.ts';
import { type OpenTokens, openTokens, type TokensOptions } from './tokens.ts';

export interface ServerAuthenticationOptions extends TokensOptions {
  readonly features: FeatureGates;
}

/** All authenticators of a server. (kube-apiserver: pkg/kubeapiserver/authenticator/config.go) */
export class ServerAuthentication {
  readonly accounts: ServiceAccounts;
  /** Authenticates bearer tokens, in requests and in token reviews. */
  readonly tokens: TokenAuthenticator;
  readonly #opened: OpenTokens;
  readonly #options: ServerAuthenticationOptions;
  readonly #trust: AuthenticationTrust;
  readonly #anonymousAccess: AnonymousAccess;
  #ownCA: CertificatePool = { certificates: [], pem: '' };
  #clientPool: CertificatePool = this.#ownCA;
  #isProxyHeader: (name: string) => boolean = () => false;
  readonly #listeners: (() => void)[] = [];

  private constructor(options: ServerAuthenticationOptions, opened: OpenTokens, trust: AuthenticationTrust) {
    this.#options = options;
    this.#opened = opened;
    this.accounts = opened.accounts;
    this.tokens = opened.tokens;
    this.#trust = trust;
    this.#anonymousAccess = new AnonymousAccess(options.options, () => opened.issuers?.anonymous);
    trust.onChange(() => this.#readTrust());
  }

  /** @throws OptionError for an invalid option or file, and if a delegate cannot be reached */
  static async open(options: ServerAuthenticationOptions): Promise<ServerAuthentication> {
    const delegate = await authenticationDelegate(options.options);
    const trust = await AuthenticationTrust.open({ ...options, delegate });
    try {
      return new ServerAuthentication(options, await openTokens(options, delegate), trust);
    } catch (error) {
      trust.close();
      throw error;
    }
  }

  /** Whether a request without credentials, at any path, is the anonymous user's. */
  get allowsAnonymous(): boolean {
    return this.#anonymousAccess.allows(undefined);
  }

  /** The audiences of this server. */
  get audiences(): readonly string[] {
    return this.accounts.audiences;
  }

  /** PEM of all accepted CAs of client certificates. */
  get clientAuthorities(): readonly string[] {
    return [this.#clientPool, this.#trust.requestHeader?.pool].flatMap((pool) => (pool ? [pool.pem] : []));
  }

  /** Returns the authentication facts for aggregated servers. */
  clusterInfo(): ClusterAuthenticationInfo {
    const { requestHeader } = this.#trust;
    return {
      clientCA: this.#clientPool.pem,
      requestHeaderCA: requestHeader?.pool.pem ?? '',
      usernameHeaders: requestHeader?.names.username ?? [],
      uidHeaders: requestHeader?.names.uid ?? [],
      groupHeaders: requestHeader?.names.group ?? [],
      extraHeaderPrefixes: requestHeader?.names.extraPrefix ?? [],
      allowedNames: requestHeader?.allowedNames ?? [],
    };
  }

  /** Calls `listener` when the CAs of clients or front proxies have changed. */
  onAuthoritiesChange(listener: () => void): void {
    this.#trust.onChange(listener);
    this.#listeners.push(listener);
  }

  /** Reads files that may have changed. */
  async refresh(): Promise<void> {
    await Promise.all([this.#trust.refresh(), this.#opened.issuers?.refresh()]);
  }

  /** @param own CAs of accepted client certificates, besides those of --client-ca-file */
  withAuthorities(own: Pick<SigningAuthority, 'trusted' | 'onTrusted'>): {
    authenticator: Authenticator;
    isProxyHeader: (name: string) => boolean;
  } {
    const read = (): void => {
      this.#ownCA = parseCertificatePool(own.trusted.join(''));
      this.#readTrust();
    };
    read();
    own.onTrusted(() => {
      read();
      for (const listener of this.#listeners) listener();
    });
    return { authenticator: this.#authenticator(), isProxyHeader: (name) => this.#isProxyHeader(name) };
  }

  close(): void {
    this.#trust.close();
    this.#opened.issuers?.close();
    this.#opened.delegated?.close();
  }

  #authenticator(): Authenticator {
    const { clock, features } = this.#options;
    const known = unionAuthenticator([
      requestHeaderAuthenticator(() => this.#trust.requestHeader, clock),
      x509Authenticator({ clock, pool: () => this.#clientPool, parsesUid: features.AllowParsingUserUIDFromCertAuth }),
      bearerTokenAuthenticator(this.tokens, this.audiences),
      subprotocolAuthenticator(this.tokens, this.audiences),
    ]);
    return withAnonymous(known, (path) => this.#anonymousAccess.allows(path));
  }

  #readTrust(): void {
    const own = this.#ownCA;
    const { clientCA: configured, requestHeader } = this.#trust;
    this.#clientPool =
      configured === undefined
        ? own
        : { certificates: [...own.certificates, ...configured.certificates], pem: `${own.pem}\n${configured.pem}` };
    this.#isProxyHeader = requestHeaderMatcher([standardRequestHeaders, ...(requestHeader ? [requestHeader.names] : [])]);
  }
}
