import type { Secret } from '../../generated/v1.35/core/v1/types.ts';
import { isPublicPath, withAnonymous } from '../authentication/anonymous.ts';
import { type Authenticator, unionAuthenticator } from '../authentication/authenticator.ts';
import type { AnonymousAuthConfig } from '../authentication/configuration/authentication-configuration.ts';
import {
  type RequestHeaderNames,
  requestHeaderAuthenticator,
  requestHeaderMatcher,
  standardRequestHeaders,
} from '../authentication/request-header.ts';
import { bearerTokenAuthenticator } from '../authentication/token/bearer-token.ts';
import { bootstrapTokens } from '../authentication/token/bootstrap.ts';
import { CachedTokenAuthenticator } from '../authentication/token/cache.ts';
import { audienceAgnostic, type TokenAuthenticator, unionTokenAuthenticator } from '../authentication/token/token.ts';
import { readTokenFile } from '../authentication/token/token-file.ts';
import { tokenReviewVersions, webhookTokenAuthenticator } from '../authentication/token/webhook.ts';
import { type CertificatePool, parseCertificatePool } from '../authentication/x509/ca-bundle.ts';
import { x509Authenticator } from '../authentication/x509/x509.ts';
import { alwaysAllow } from '../authorization/authorizer.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { defaultRetryBackoff } from '../webhook/backoff.ts';
import { coreObjects } from './core-objects.ts';
import { DynamicFile } from './dynamic-file.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { JWTIssuers, JWTIssuersOptions } from './jwt-issuers.ts';
import { markLegacyToken } from './legacy-token-use.ts';
import { OptionError, type ServerOptions } from './options.ts';
import { openServiceAccounts, type ServiceAccounts } from './service-accounts.ts';

export interface ServerAuthenticationOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly features: FeatureGates;
  /** Called when a token is verified, not before. */
  readonly stores: () => ResourceStores;
}

/** A CA file that is read again when it changes. */
type CAFile = DynamicFile<CertificatePool>;

/** All ways to find out who makes a request. (kube-apiserver: pkg/kubeapiserver/authenticator/config.go) */
export class ServerAuthentication {
  readonly accounts: ServiceAccounts;
  /** Authenticates bearer tokens, in requests and in token reviews. */
  readonly tokens: TokenAuthenticator;
  readonly #issuers: JWTIssuers | undefined;
  readonly #options: ServerAuthenticationOptions;
  readonly #clientCA: CAFile | undefined;
  readonly #requestHeaderCA: CAFile | undefined;
  #ownCA: CertificatePool = { certificates: [], pem: '' };
  #clientPool: CertificatePool = this.#ownCA;

  private constructor(
    options: ServerAuthenticationOptions,
    { accounts, tokens, issuers }: OpenTokens,
    authorities: readonly [client: CAFile | undefined, requestHeader: CAFile | undefined],
  ) {
    this.#options = options;
    this.accounts = accounts;
    this.tokens = tokens;
    this.#issuers = issuers;
    [this.#clientCA, this.#requestHeaderCA] = authorities;
    this.#clientCA?.onChange(() => this.#updateClientPool());
  }

  /** @throws OptionError for an invalid option or file */
  static async open(options: ServerAuthenticationOptions): Promise<ServerAuthentication> {
    checkOptions(options.options);
    const [tokens, ...authorities] = await Promise.all([
      openTokens(options),
      openCAFile('client-ca-file', options.options.clientCaFile, options),
      openCAFile('requestheader-client-ca-file', options.options.requestHeaderClientCaFile, options),
    ]);
    return new ServerAuthentication(options, tokens, authorities);
  }

  /** The audiences of this server. */
  get audiences(): readonly string[] {
    return this.accounts.audiences;
  }

  /** PEM of all CAs that client certificates may be of. */
  get clientAuthorities(): readonly string[] {
    return [this.#clientPool, this.#requestHeaderCA?.value].flatMap((pool) => (pool ? [pool.pem] : []));
  }

  /** Calls `listener` when a CA file has changed. */
  onAuthoritiesChange(listener: () => void): void {
    this.#clientCA?.onChange(listener);
    this.#requestHeaderCA?.onChange(listener);
  }

  /** Reads files that may have changed. */
  async refresh(): Promise<void> {
    await Promise.all([this.#clientCA?.refresh(), this.#requestHeaderCA?.refresh(), this.#issuers?.refresh()]);
  }

  /** @param ownCA PEM of the server's own CA, whose client certificates are accepted besides those of --client-ca-file */
  withCertificates(ownCA: string): { authenticator: Authenticator; isProxyHeader: (name: string) => boolean } {
    this.#ownCA = parseCertificatePool(ownCA);
    this.#updateClientPool();
    const names = headerNames(this.#options.options);
    return {
      authenticator: this.#authenticator(names),
      isProxyHeader: requestHeaderMatcher([standardRequestHeaders, ...(this.#requestHeaderCA ? [names] : [])]),
    };
  }

  close(): void {
    this.#clientCA?.close();
    this.#requestHeaderCA?.close();
    this.#issuers?.close();
  }

  #authenticator(names: RequestHeaderNames): Authenticator {
    const { options, clock, features } = this.#options;
    const requestHeaderCA = this.#requestHeaderCA;
    const known = unionAuthenticator([
      ...(requestHeaderCA === undefined
        ? []
        : [
            requestHeaderAuthenticator({
              ...{ names, clock, pool: () => requestHeaderCA.value },
              allowedNames: options.requestHeaderAllowedNames ?? [],
            }),
          ]),
      x509Authenticator({ clock, pool: () => this.#clientPool, parsesUid: features.AllowParsingUserUIDFromCertAuth }),
      bearerTokenAuthenticator(this.tokens, this.audiences),
    ]);
    return withAnonymousAccess(known, options, () => this.#issuers?.anonymous);
  }

  #updateClientPool(): void {
    const own = this.#ownCA;
    const configured = this.#clientCA?.value;
    this.#clientPool =
      configured === undefined
        ? own
        : { certificates: [...own.certificates, ...configured.certificates], pem: `${own.pem}\n${configured.pem}` };
  }
}

/**
 * With AlwaysAllow, nothing restricts anonymous users, so they get only the health endpoints and /version. (kube-apiserver
 * then disables anonymous requests: BuiltInAuthenticationOptions.ApplyAuthorization)
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
  readonly issuers?: JWTIssuers;
}

/** In the order in which they are asked. */
async function openTokens({ options, clock, logger, stores }: ServerAuthenticationOptions): Promise<OpenTokens> {
  const getObject = coreObjects(stores);
  const onLegacyTokenUse = markLegacyToken(stores, logger);
  const accounts = await openServiceAccounts({ options, clock, getObject, onLegacyTokenUse });
  const { audiences } = accounts;
  const authenticators: TokenAuthenticator[] = [];
  if (options.tokenAuthFile !== undefined) {
    authenticators.push(audienceAgnostic(audiences, await readTokenFile(options.tokenAuthFile)));
  }
  authenticators.push(...accounts.authenticators);
  if (options.enableBootstrapTokenAuth) {
    const getSecret = (name: string): Secret | Promise<Secret | undefined> | undefined => {
      const found = getObject('secrets', 'kube-system', name);
      return found instanceof Promise ? found.then((stored) => stored?.decode()) : found?.decode();
    };
    authenticators.push(audienceAgnostic(audiences, bootstrapTokens(getSecret, clock)));
  }
  const issuers = await openIssuers({ options, clock, logger, audiences, serviceAccountIssuers: accounts.issuers });
  if (issuers !== undefined) authenticators.push(issuers);
  const webhook = await openTokenWebhook(options, clock, audiences);
  if (webhook !== undefined) authenticators.push(webhook);
  return { accounts, issuers, tokens: unionTokenAuthenticator(authenticators) };
}

/** Loads what issuers need only if there are any. */
async function openIssuers(given: JWTIssuersOptions): Promise<JWTIssuers | undefined> {
  const { authenticationConfig, oidcIssuerUrl, oidcClientId } = given.options;
  if (authenticationConfig === undefined && !oidcIssuerUrl && !oidcClientId) return undefined;
  const { JWTIssuers } = await import('./jwt-issuers.ts');
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
    throw new OptionError(
      `unsupported authentication webhook version "${wanted}", supported versions are "v1", "v1beta1"`,
    );
  }
  const [{ GenericWebhook }, { loadWebhookKubeconfig }] = await Promise.all([
    import('../webhook/generic-webhook.ts'),
    import('../webhook/kubeconfig.ts'),
  ]);
  const config = await loadWebhookKubeconfig(path).catch((error: Error) => {
    throw new OptionError(`--authentication-token-webhook-config-file: ${error.message}`);
  });
  const webhook = new GenericWebhook({ config, clock, backoff: defaultRetryBackoff(500) });
  const authenticator = webhookTokenAuthenticator({ webhook, version, implicitAudiences });
  return new CachedTokenAuthenticator(authenticator, { clock, successTtl: ttl, failureTtl: ttl });
}

const headerNames = (options: ServerOptions): RequestHeaderNames => ({
  username: options.requestHeaderUsernameHeaders ?? [],
  uid: options.requestHeaderUidHeaders ?? [],
  group: options.requestHeaderGroupHeaders ?? [],
  extraPrefix: options.requestHeaderExtraHeadersPrefix ?? [],
});

/** (apiserver pkg/server/options RequestHeaderAuthenticationOptions.Validate) */
function checkOptions(options: ServerOptions): void {
  const lists = {
    'requestheader-username-headers': options.requestHeaderUsernameHeaders,
    'requestheader-group-headers': options.requestHeaderGroupHeaders,
    'requestheader-extra-headers-prefix': options.requestHeaderExtraHeadersPrefix,
    'requestheader-allowed-names': options.requestHeaderAllowedNames,
    'requestheader-uid-headers': options.requestHeaderUidHeaders,
  };
  for (const [flag, values] of Object.entries(lists)) {
    if (values?.some((value) => value.trim() === '')) throw new OptionError(`empty value in "${flag}"`);
  }
  const uids = options.requestHeaderUidHeaders ?? [];
  if (uids.length > 0 && !uids.some((name) => name.toLowerCase() === 'x-remote-uid')) {
    throw new OptionError(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
    );
  }
}

async function openCAFile(
  flag: string,
  path: string | undefined,
  { clock, logger }: ServerAuthenticationOptions,
): Promise<CAFile | undefined> {
  if (path === undefined) return undefined;
  try {
    return await DynamicFile.open({
      ...{ path, clock, parse: parseCertificatePool },
      onError: (err) => logger.error({ err, path }, `--${flag} cannot be read again`),
    });
  } catch (error) {
    throw new OptionError(`--${flag}: ${(error as Error).message}`);
  }
}
