import { type RequestHeaderConfig, type RequestHeaderNames, standardRequestHeaders } from '../../authentication/request-header.ts';
import { type CertificatePool, parseCertificatePool } from '../../authentication/x509/ca-bundle.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { DynamicFile } from '../../machinery/files/dynamic-file.ts';
import type { Logger } from '../../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { ClusterAuthenticationTrust } from '../delegated/cluster-authentication-trust.ts';

export interface AuthenticationTrustOptions {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The delegate that publishes the CAs without a file. Default: none. */
  readonly delegate?: ClientOptions | undefined;
}

/** A CA file that is read again after changes. */
type CAFile = DynamicFile<CertificatePool>;

/** The CAs of client certificates and of front proxies, from files or from the delegate. */
export class AuthenticationTrust {
  readonly #clientFile: CAFile | undefined;
  readonly #requestHeaderFile: CAFile | undefined;
  readonly #cluster: ClusterAuthenticationTrust | undefined;
  readonly #options: AuthenticationTrustOptions;
  #fileRequestHeader: RequestHeaderConfig | undefined;

  private constructor(
    options: AuthenticationTrustOptions,
    [client, requestHeader]: readonly (CAFile | undefined)[],
    cluster: ClusterAuthenticationTrust | undefined,
  ) {
    this.#options = options;
    this.#clientFile = client;
    this.#requestHeaderFile = requestHeader;
    this.#cluster = cluster;
    this.#readRequestHeader();
    requestHeader?.onChange(() => this.#readRequestHeader());
  }

  /** @throws OptionError for an invalid option or file, and if the delegate cannot be reached */
  static async open(options: AuthenticationTrustOptions): Promise<AuthenticationTrust> {
    checkOptions(options.options);
    const files = await Promise.all([
      openCAFile('client-ca-file', options.options.clientCaFile, options),
      openCAFile('requestheader-client-ca-file', options.options.requestHeaderClientCaFile, options),
    ]);
    try {
      return new AuthenticationTrust(options, files, await openCluster(options));
    } catch (error) {
      for (const file of files) file?.close();
      throw error;
    }
  }

  /** The CAs of client certificates, besides the server's own. */
  get clientCA(): CertificatePool | undefined {
    return this.#clientFile === undefined ? this.#cluster?.clientCA : this.#clientFile.value;
  }

  /** The trusted front proxies; undefined for none. */
  get requestHeader(): RequestHeaderConfig | undefined {
    return this.#fileRequestHeader ?? this.#cluster?.requestHeader;
  }

  /** Calls `listener` when the trusted CAs or front proxies have changed. */
  onChange(listener: () => void): void {
    this.#clientFile?.onChange(listener);
    this.#requestHeaderFile?.onChange(listener);
    this.#cluster?.onChange(listener);
  }

  /** Reads files that may have changed. */
  async refresh(): Promise<void> {
    await Promise.all([this.#clientFile?.refresh(), this.#requestHeaderFile?.refresh()]);
  }

  close(): void {
    this.#clientFile?.close();
    this.#requestHeaderFile?.close();
    this.#cluster?.close();
  }

  #readRequestHeader(): void {
    if (this.#requestHeaderFile === undefined) return;
    const { options, delegate } = this.#options;
    this.#fileRequestHeader = {
      pool: this.#requestHeaderFile.value,
      names: headerNames(options, delegate === undefined ? noHeaders : delegatingHeaders),
      allowedNames: options.requestHeaderAllowedNames ?? [],
    };
  }
}

const noHeaders: RequestHeaderNames = { username: [], uid: [], group: [], extraPrefix: [] };
/**
 * The headers of front proxies. The uid is left out, because older front proxies pass on a client's header.
 * (NewDelegatingAuthenticationOptions)
 */
const delegatingHeaders: RequestHeaderNames = { ...standardRequestHeaders, uid: [] };

const headerNames = (options: ServerOptions, fallback: RequestHeaderNames): RequestHeaderNames => ({
  username: options.requestHeaderUsernameHeaders ?? fallback.username,
  uid: options.requestHeaderUidHeaders ?? fallback.uid,
  group: options.requestHeaderGroupHeaders ?? fallback.group,
  extraPrefix: options.requestHeaderExtraHeadersPrefix ?? fallback.extraPrefix,
});

/** Returns undefined if both CAs come from files. */
async function openCluster(given: AuthenticationTrustOptions): Promise<ClusterAuthenticationTrust | undefined> {
  const { options, clock, logger, delegate: config } = given;
  const { clientCaFile, requestHeaderClientCaFile, authenticationSkipLookup, authenticationTolerateLookupFailure } = options;
  if (config === undefined || authenticationSkipLookup) return undefined;
  const needsRequestHeader = requestHeaderClientCaFile === undefined;
  if (clientCaFile !== undefined && !needsRequestHeader) return undefined;
  const { ClusterAuthenticationTrust } = await import('../delegated/cluster-authentication-trust.ts');
  return ClusterAuthenticationTrust.open({
    config,
    clock,
    logger,
    needsRequestHeader,
    toleratesFailure: authenticationTolerateLookupFailure ?? false,
  });
}

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
  { clock, logger }: AuthenticationTrustOptions,
): Promise<CAFile | undefined> {
  if (path === undefined) return undefined;
  try {
    return await DynamicFile.open({
      path,
      clock,
      parse: parseCertificatePool,
      onError: (err) => logger.error({ err, path }, `--${flag} cannot be read again`),
    });
  } catch (error) {
    throw new OptionError(`--${flag}: ${messageOf(error)}`);
  }
}
