import { readFile } from 'node:fs/promises';
import { decodeConfiguration } from '../../codec/configuration.ts';
import type { Clock } from '../../machinery/clock.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { DynamicFile } from '../../machinery/files/dynamic-file.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError } from '../../machinery/options/option-error.ts';
import {
  type AnonymousAuthConfig,
  type AuthenticationConfiguration,
  authenticationConfigurationKind,
  type JWTAuthenticator,
} from '../configuration/authentication-configuration.ts';
import { validateAuthenticationConfiguration } from '../configuration/validation.ts';
import { CachedTokenAuthenticator } from './cache.ts';
import { oidcAuthenticator, signingAlgorithms } from './oidc/oidc.ts';
import { defaultUsernameClaim, hasOIDCFlags, type OIDCOptions } from './oidc/oidc-flags.ts';
import { OidcProvider } from './oidc/provider.ts';
import { audienceAgnostic, type TokenAuthenticator, type TokenResult, unionTokenAuthenticator } from './token.ts';

/** Where the issuers come from: a file, or flags. */
export interface IssuerOptions extends OIDCOptions {
  readonly authenticationConfig?: string | undefined;
  readonly anonymousAuth?: boolean | undefined;
}

export interface JWTIssuersOptions {
  readonly options: IssuerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
  /** The issuers of service accounts, which JWT issuers must not repeat. */
  readonly serviceAccountIssuers: readonly string[];
}

/** Milliseconds for which an accepted token is cached. (BuiltInAuthenticationOptions.TokenSuccessCacheTTL) */
const tokenSuccessCacheTtl = 10_000;

/** The authenticators of one configuration. */
interface Configured {
  readonly anonymous?: AnonymousAuthConfig;
  readonly tokens: TokenAuthenticator;
  readonly providers: readonly OidcProvider[];
}

/**
 * The OpenID Connect issuers of --authentication-config or of the --oidc flags. The file is read again when it changes.
 */
export class JWTIssuers implements TokenAuthenticator {
  readonly #options: JWTIssuersOptions;
  #file: DynamicFile<Configured> | undefined;
  #configured: Configured = { tokens: unionTokenAuthenticator([]), providers: [] };

  private constructor(options: JWTIssuersOptions) {
    this.#options = options;
  }

  /** @throws OptionError for invalid flags, files and configurations */
  static async open(options: JWTIssuersOptions): Promise<JWTIssuers> {
    const issuers = new JWTIssuers(options);
    const { authenticationConfig: path, anonymousAuth } = options.options;
    if (path === undefined) {
      const jwt = await authenticatorOfFlags(options.options);
      const algorithms = options.options.oidcSigningAlgs ?? ['RS256'];
      const unknown = algorithms.find((algorithm) => !signingAlgorithms.includes(algorithm));
      if (unknown !== undefined) throw new OptionError(`oidc: unsupported signing alg: ${quote(unknown)}`);
      issuers.#configured = asOption(() => issuers.#configure({ jwt }, algorithms));
      return issuers;
    }
    if (hasOIDCFlags(options.options)) throw new OptionError('authentication-config file and oidc-* flags are mutually exclusive');
    await issuers.#openFile(path);
    if (issuers.anonymous !== undefined && anonymousAuth === false) {
      throw new OptionError('--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file');
    }
    return issuers;
  }

  /** The configured anonymous access; undefined if the configuration does not set it. */
  get anonymous(): AnonymousAuthConfig | undefined {
    return this.#configured.anonymous;
  }

  authenticateToken(token: string, audiences: readonly string[]): TokenResult | Promise<TokenResult> {
    return this.#configured.tokens.authenticateToken(token, audiences);
  }

  /** Reads the file again. */
  async refresh(): Promise<void> {
    await this.#file?.refresh();
  }

  close(): void {
    this.#file?.close();
    for (const provider of this.#configured.providers) provider.close();
  }

  async #openFile(path: string): Promise<void> {
    const { clock, logger } = this.#options;
    const parse = (text: string): Configured =>
      this.#configure(decodeConfiguration(Buffer.from(text), authenticationConfigurationKind), signingAlgorithms);
    try {
      this.#file = await DynamicFile.open({
        path,
        clock,
        parse,
        onError: (err) => logger.error({ err, path }, '--authentication-config is not valid: the former is in force'),
      });
    } catch (error) {
      throw new OptionError(`--authentication-config: ${messageOf(error)}`);
    }
    this.#configured = this.#file.value;
    this.#file.onChange((changed) => {
      const { providers } = this.#configured;
      this.#configured = changed;
      for (const provider of providers) provider.close();
    });
  }

  /** @throws Error with all messages for an invalid configuration */
  #configure({ jwt = [], anonymous }: AuthenticationConfiguration, algorithms: readonly string[]): Configured {
    const { clock, logger, audiences, serviceAccountIssuers } = this.#options;
    const mappers = validateAuthenticationConfiguration({ jwt, anonymous }, serviceAccountIssuers);
    const providers = jwt.map(({ issuer = {} }) => {
      const { url = '', discoveryURL, certificateAuthority } = issuer;
      return new OidcProvider({
        issuer: url,
        discoveryUrl: discoveryURL || undefined,
        certificateAuthority,
        clock,
        onError: (err) => logger.error({ err, issuer: url }, 'the issuer cannot be reached'),
      });
    });
    const authenticators = jwt.map((authenticator, at) =>
      audienceAgnostic(
        audiences,
        oidcAuthenticator({ authenticator, algorithms, clock, mapper: elementAt(mappers, at), provider: elementAt(providers, at) }),
      ),
    );
    const cache = { clock, successTtl: tokenSuccessCacheTtl, failureTtl: 0 };
    return {
      ...(anonymous && { anonymous }),
      providers,
      tokens: new CachedTokenAuthenticator(unionTokenAuthenticator(authenticators), cache),
    };
  }
}

function asOption<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new OptionError(messageOf(error));
  }
}

/** Returns the issuer of the --oidc flags in the form of a configuration. (ToAuthenticationConfig) */
async function authenticatorOfFlags(options: OIDCOptions): Promise<JWTAuthenticator[]> {
  const { oidcIssuerUrl: url = '', oidcClientId: clientId = '', oidcGroupsClaim: groups = '' } = options;
  if (!hasOIDCFlags(options)) return [];
  if (url === '' || clientId === '') {
    throw new OptionError('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  }
  const claim = options.oidcUsernameClaim || defaultUsernameClaim;
  const { oidcUsernamePrefix: given = '' } = options;
  // a prefix keeps names apart from other users'; email addresses need none
  const prefix = given === '-' ? '' : given === '' && claim !== 'email' ? `${url}#` : given;
  const certificateAuthority = options.oidcCaFile === undefined ? undefined : await readCA(options.oidcCaFile);
  return [
    {
      issuer: { url, audiences: [clientId], certificateAuthority },
      claimMappings: {
        username: { claim, prefix },
        ...(groups !== '' && { groups: { claim: groups, prefix: options.oidcGroupsPrefix ?? '' } }),
      },
      claimValidationRules: requiredClaims(options.oidcRequiredClaims ?? []),
    },
  ];
}

async function readCA(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OptionError(`--oidc-ca-file: ${messageOf(error)}`);
  }
}

function requiredClaims(pairs: readonly string[]): { readonly claim: string; readonly requiredValue: string }[] {
  const wanted = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals <= 0) throw new OptionError(`--oidc-required-claim: malformed pair, expect string=string: ${pair}`);
    wanted.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return [...wanted].sort().map(([claim, requiredValue]) => ({ claim, requiredValue }));
}
