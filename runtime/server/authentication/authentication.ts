import type { Secret } from '../../../generated/v1.35/core/v1/types.ts';
import { isPublicPath, withAnonymous } from '../../authentication/anonymous.ts';
import { type Authenticator, unionAuthenticator } from '../../authentication/authenticator.ts';
import type { AnonymousAuthConfig } from '../../authentication/configuration/authentication-configuration.ts';
import { requestHeaderAuthenticator, requestHeaderMatcher, standardRequestHeaders } from '../../authentication/request-header.ts';
import { markLegacyToken } from '../../authentication/service-account/legacy-token-use.ts';
import {
  type InheritedTokenKeys,
  openServiceAccounts,
  type ServiceAccounts,
} from '../../authentication/service-account/service-accounts.ts';
import { bearerTokenAuthenticator } from '../../authentication/token/bearer-token.ts';
import { bootstrapTokens } from '../../authentication/token/bootstrap.ts';
import { CachedTokenAuthenticator } from '../../authentication/token/cache.ts';
import type { JWTIssuers, JWTIssuersOptions } from '../../authentication/token/jwt-issuers.ts';
import { hasOIDCFlags } from '../../authentication/token/oidc/oidc-flags.ts';
import { audienceAgnostic, type TokenAuthenticator, unionTokenAuthenticator } from '../../authentication/token/token.ts';
import { readTokenFile } from '../../authentication/token/token-file.ts';
import { tokenReviewVersions, webhookTokenAuthenticator } from '../../authentication/token/webhook.ts';
import { type CertificatePool, parseCertificatePool } from '../../authentication/x509/ca-bundle.ts';
import { x509Authenticator } from '../../authentication/x509/x509.ts';
import { alwaysAllow } from '../../authorization/authorizer.ts';
import type { ClientOptions } from '../../client/options.ts';
import { defaultRetryBackoff } from '../../client/webhook/backoff.ts';
import type { ClusterAuthenticationInfo } from '../../controlplane/cluster-authentication-trust/cluster-authentication-info.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { KeySource } from '../../machinery/keys.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { Random } from '../../machinery/random.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import { coreObjects } from '../../resources/core-objects.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { SigningAuthority } from '../../serving/signing-authority.ts';
import { delegateConfig, delegatesAuthentication } from '../delegated/config.ts';
import type { DelegatedRequests } from '../delegated/delegated-metrics.ts';
import type { DelegatedTokens } from '../delegated/tokens.ts';
import { AuthenticationTrust } from './authentication-trust.ts';

export interface ServerAuthenticationOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeySource;
  readonly logger: Logger;
  readonly features: FeatureGates;
  /** Called only when a token is verified. */
  readonly stores: () => ResourceStores;
  /** For a fork: the tokens of its origin that it accepts. */
  readonly inherited?: InheritedTokenKeys | undefined;
  /** Metrics of requests to a delegate. Default: not measured. */
  readonly metrics?: DelegatedRequests;
}

/** All authenticators of a server. (kube-apiserver: pkg/kubeapiserver/authenticator/config.go) */
export class ServerAuthentication {
  readonly accounts: ServiceAccounts;
  /** Authenticates bearer tokens, in requests and in token reviews. */
  readonly tokens: TokenAuthenticator;
  readonly #opened: OpenTokens;
  readonly #options: ServerAuthenticationOptions;
  readonly #trust: AuthenticationTrust;
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
    trust.onChange(() => this.#readTrust());
  }

  /** @throws OptionError for an invalid option or file, and if a delegate cannot be reached */
  static async open(options: ServerAuthenticationOptions): Promise<ServerAuthentication> {
    const delegate = await openDelegate(options.options);
    const trust = await AuthenticationTrust.open({ ...options, delegate });
    try {
      return new ServerAuthentication(options, await openTokens(options, delegate), trust);
    } catch (error) {
      trust.close();
      throw error;
    }
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
    const { options, clock, features } = this.#options;
    const known = unionAuthenticator([
      requestHeaderAuthenticator(() => this.#trust.requestHeader, clock),
      x509Authenticator({ clock, pool: () => this.#clientPool, parsesUid: features.AllowParsingUserUIDFromCertAuth }),
      bearerTokenAuthenticator(this.tokens, this.audiences),
    ]);
    return withAnonymousAccess(known, options, () => this.#opened.issuers?.anonymous);
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

/** Returns the delegate that knows the users that this server does not; undefined if the server decides alone. */
async function openDelegate(options: ServerOptions): Promise<ClientOptions | undefined> {
  if (!delegatesAuthentication(options)) return undefined;
  return delegateConfig('delegated authentication', options.authenticationKubeconfig);
}

/**
 * Allows anonymous requests. With AlwaysAllow, nothing restricts anonymous users, so they only get the health endpoints
 * and /version. (kube-apiserver then disables anonymous requests: BuiltInAuthenticationOptions.ApplyAuthorization)
 */
function withAnonymousAccess(
  known: Authenticator,
  { anonymousAuth = true, authorizer, authorizationMode }: ServerOptions,
  configured: () => AnonymousAuthConfig | undefined,
): Authenticator {
  const allowsAll = authorizer === alwaysAllow || authorizationMode?.includes('AlwaysAllow') === true;
  return withAnonymous(known, (path) => {
    const { enabled = anonymousAuth, conditions = [] } = configured() ?? {};
    if (!enabled || (allowsAll && !isPublicPath(path))) return false;
    return conditions.length === 0 || conditions.some((condition) => condition.path === path);
  });
}

interface OpenTokens {
  readonly accounts: ServiceAccounts;
  readonly tokens: TokenAuthenticator;
  readonly issuers?: JWTIssuers | undefined;
  readonly delegated?: DelegatedTokens;
}

/**
 * Opens token authenticators in the order in which they try a token. With a delegate, tokens of service accounts are
 * left to the delegate.
 */
async function openTokens(given: ServerAuthenticationOptions, delegate?: ClientOptions): Promise<OpenTokens> {
  const { clock, logger } = given;
  const options = delegate === undefined ? given.options : { ...given.options, apiAudiences: given.options.apiAudiences ?? [] };
  const { accounts, own } = await openOwnTokens({ ...given, options });
  const { audiences } = accounts;
  const authenticators: TokenAuthenticator[] = [];
  if (options.tokenAuthFile !== undefined) {
    authenticators.push(audienceAgnostic(audiences, await readTokenFile(options.tokenAuthFile)));
  }
  if (delegate === undefined) authenticators.push(...own);
  const issuers = await openIssuers({ options, clock, logger, audiences, serviceAccountIssuers: accounts.issuers });
  if (issuers !== undefined) authenticators.push(issuers);
  if (delegate !== undefined) {
    const { delegatedTokens } = await import('../delegated/tokens.ts');
    const delegated = delegatedTokens({ config: delegate, options, clock, metrics: given.metrics });
    authenticators.push(delegated.authenticator);
    const tokens = unionTokenAuthenticator(authenticators);
    return { accounts: { ...accounts, openId: undefined }, issuers, delegated, tokens };
  }
  const webhook = await openTokenWebhook(options, clock, audiences);
  if (webhook !== undefined) authenticators.push(webhook);
  return { accounts, issuers, tokens: unionTokenAuthenticator(authenticators) };
}

/** Opens the authenticators of tokens with an object in this server's store: service account and bootstrap tokens. */
async function openOwnTokens(given: ServerAuthenticationOptions): Promise<{
  readonly accounts: ServiceAccounts;
  readonly own: readonly TokenAuthenticator[];
}> {
  const { options, clock, random, keys, logger, stores, inherited } = given;
  const getObject = coreObjects(stores);
  const onLegacyTokenUse = markLegacyToken(stores, logger);
  const accounts = await openServiceAccounts({ options, clock, random, keys, getObject, onLegacyTokenUse, inherited });
  if (!options.enableBootstrapTokenAuth) return { accounts, own: accounts.authenticators };
  const getSecret = (name: string): Secret | Promise<Secret | undefined> | undefined => {
    const found = getObject('secrets', 'kube-system', name);
    return found instanceof Promise ? found.then((stored) => stored?.decode()) : found?.decode();
  };
  const bootstrap = audienceAgnostic(accounts.audiences, bootstrapTokens(getSecret, clock));
  return { accounts, own: [...accounts.authenticators, bootstrap] };
}

/** Opens the JWT issuers. Loads their code only if any are configured. */
async function openIssuers(given: JWTIssuersOptions): Promise<JWTIssuers | undefined> {
  if (given.options.authenticationConfig === undefined && !hasOIDCFlags(given.options)) return undefined;
  const { JWTIssuers } = await import('../../authentication/token/jwt-issuers.ts');
  return JWTIssuers.open(given);
}

const twoMinutes = 120_000;

/** @throws OptionError for an unknown version or an invalid kubeconfig */
async function openTokenWebhook(
  options: ServerOptions,
  clock: Clock,
  implicitAudiences: readonly string[],
): Promise<TokenAuthenticator | undefined> {
  const { authenticationTokenWebhookConfigFile: path, authenticationTokenWebhookCacheTtl: ttl = twoMinutes } = options;
  if (path === undefined) return undefined;
  const wanted = options.authenticationTokenWebhookVersion ?? 'v1beta1';
  const version = tokenReviewVersions.find((known) => known === wanted);
  if (version === undefined) {
    throw new OptionError(`unsupported authentication webhook version "${wanted}", supported versions are "v1", "v1beta1"`);
  }
  const [{ GenericWebhook }, { loadWebhookKubeconfig }] = await Promise.all([
    import('../../client/webhook/generic-webhook.ts'),
    import('../../client/webhook/kubeconfig.ts'),
  ]);
  const config = await loadWebhookKubeconfig(path).catch((error: Error) => {
    throw new OptionError(`--authentication-token-webhook-config-file: ${error.message}`);
  });
  const webhook = new GenericWebhook({ config, clock, backoff: defaultRetryBackoff(500) });
  const authenticator = webhookTokenAuthenticator({ webhook, version, implicitAudiences });
  return new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl });
}
