import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Secret, ServiceAccount } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { mapMaybeAsync } from '../../machinery/event-loop/map-maybe-async.ts';
import { ensureFolder, makePrivate, writeFileAtomically } from '../../machinery/files/private-files.ts';
import type { KeySource } from '../../machinery/keys.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { OptionError } from '../../machinery/options/option-error.ts';
import type { Random } from '../../machinery/random.ts';
import { parseTime } from '../../machinery/scalars/time.ts';
import { privateKeyPem } from '../../machinery/x509/private-key.ts';
import type { CoreObjectGetter } from '../../resources/core-objects.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import type { TokenAuthenticator } from '../token/token.ts';
import { claimsValidator, type ServiceAccountTokenGetter, type TokenObject } from './claims-validator.ts';
import { JWTTokenAuthenticator } from './jwt.ts';
import {
  makeServiceAccountKey,
  type PublicKey,
  parsePublicKeys,
  parseServiceAccountKey,
  publicKeyPem,
  type ServiceAccountKey,
} from './key.ts';
import {
  type LegacyTokenGenerator,
  type LegacyValidatorOptions,
  lastUsedLabel,
  legacyClaims,
  legacyIssuer,
  legacyValidator,
  type TokenSecret,
} from './legacy.ts';
import { discoveryIssuerError, openIdConfiguration, openIdKeys } from './openid.ts';
import { defaultIssuer, jwtTokenGenerator, signClaims, type TokenGenerator } from './token-generator.ts';

/** Signs and verifies the service account tokens of a server. */
export interface ServiceAccounts {
  /** The audiences of the server itself. (--api-audiences) */
  readonly audiences: readonly string[];
  readonly issuers: readonly string[];
  /** Authenticators in the order in which they try a token. */
  readonly authenticators: readonly TokenAuthenticator[];
  readonly issueToken: TokenGenerator;
  /** Creates the token of a Secret. */
  readonly issueLegacyToken: LegacyTokenGenerator;
  /** The OpenID documents. Absent if the issuer cannot have them. */
  readonly openId?: OpenIdDocuments | undefined;
  /**
   * Returns the keys of tokens that a new fork accepts. From now on, this server signs with a key that the fork does
   * not know.
   */
  fork(): Promise<InheritedTokenKeys>;
}

/** The keys of tokens from before a server was forked. */
export interface InheritedTokenKeys {
  readonly all: readonly PublicKey[];
  /** Keys that only verify tokens in Secrets, which are valid where the Secret is. */
  readonly ofSecrets: readonly PublicKey[];
}

export interface OpenIdDocuments {
  /** @param keysUri the address of the keys, unless --service-account-jwks-uri is set */
  configuration(keysUri: string): Promise<object>;
  keys(): Promise<object>;
}

/** Which keys sign, and which tokens are accepted. (ServiceAccountAuthenticationOptions) */
export interface ServiceAccountOptions {
  readonly serviceAccountSigningKeyFile?: string | undefined;
  /** The folder of the signing key, if no file is set. */
  readonly certDir?: string | undefined;
  readonly serviceAccountKeyFiles?: readonly string[] | undefined;
  readonly serviceAccountIssuers?: readonly string[] | undefined;
  readonly serviceAccountJwksUri?: string | undefined;
  /** Milliseconds. */
  readonly serviceAccountMaxTokenExpiration?: number | undefined;
  readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
  readonly serviceAccountLookup?: boolean | undefined;
  readonly apiAudiences?: readonly string[] | undefined;
}

export interface ServiceAccountsOptions {
  readonly options: ServiceAccountOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: KeySource;
  readonly getObject: CoreObjectGetter;
  /** Called when the token of a Secret is first accepted on a day. */
  readonly onLegacyTokenUse: (namespace: string, secret: string, day: string) => void;
  /** For a fork, which has its own signing key. */
  readonly inherited?: InheritedTokenKeys | undefined;
}

/**
 * Loads the keys. The signing key is created on first use. Several servers can share the folder.
 *
 * @throws OptionError for an invalid option or key file
 */
export async function openServiceAccounts(given: ServiceAccountsOptions): Promise<ServiceAccounts> {
  const { options, clock, random, getObject, onLegacyTokenUse } = given;
  checkServiceAccountOptions(options);
  const signingKey = await SigningKeys.open(options, given.keys, given.inherited);
  const ofFiles = (await Promise.all((options.serviceAccountKeyFiles ?? []).map(readPublicKeys))).flat();
  // the origin still signs with such a key
  const fileKeys = ofFiles.filter(({ id }) => !signingKey.ofSecrets.some((one) => one.id === id));
  const keys = async (): Promise<readonly PublicKey[]> => {
    const own = (await signingKey.all()).filter(({ id }) => !fileKeys.some((one) => one.id === id));
    return [...own, ...fileKeys];
  };
  const lookup = options.serviceAccountLookup ?? true;
  const keysOfSecrets = async (): Promise<readonly PublicKey[]> => [...(await keys()), ...signingKey.ofSecrets];
  const issuers = options.serviceAccountIssuers ?? [defaultIssuer];
  const audiences = options.apiAudiences ?? issuers;
  const get = tokenGetter(getObject);
  const common = { keys, clock, audiences };
  const legacy = legacyValidator({
    lookup,
    getAccount: get,
    getSecret: secretGetter(getObject),
    onUse: onLegacyTokenUse,
  });
  const [issuer = defaultIssuer] = issuers;
  const { serviceAccountMaxTokenExpiration: max, serviceAccountExtendTokenExpiration, serviceAccountJwksUri } = options;
  return {
    audiences,
    issuers,
    authenticators: [
      // first, because this server issued most tokens
      new JWTTokenAuthenticator({ ...common, issuers, validator: claimsValidator(get) }),
      new JWTTokenAuthenticator({
        ...common,
        keys: lookup ? keysOfSecrets : keys,
        issuers: [legacyIssuer],
        validator: legacy,
      }),
    ],
    issueToken: jwtTokenGenerator({
      audiences,
      clock,
      random,
      issuer,
      key: () => signingKey.get(),
      maxExpirationSeconds: max ? max / 1000 : undefined,
      extendsExpiration: serviceAccountExtendTokenExpiration ?? true,
    }),
    issueLegacyToken: async (account, secret) => signClaims(legacyClaims(account, secret), await signingKey.get()),
    fork: () => signingKey.fork(),
    ...(discoveryIssuerError(issuer) === undefined && {
      openId: {
        configuration: async (keysUri) => openIdConfiguration(issuer, serviceAccountJwksUri ?? keysUri, await keys()),
        keys: async () => openIdKeys(await keys()),
      },
    }),
  };
}

const hour = 3600_000;

/** (BuiltInAuthenticationOptions.Validate, and Complete for the expiration) */
function checkServiceAccountOptions(options: ServiceAccountOptions): void {
  const issuers = options.serviceAccountIssuers ?? [];
  for (const [at, issuer] of issuers.entries()) {
    if (issuer === '') throw new OptionError('service-account-issuer should not be an empty string');
    if (issuers.indexOf(issuer) < at) throw new OptionError(`service-account-issuer "${issuer}" is already specified`);
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      throw new OptionError(`service-account-issuer "${issuer}" contained a ':' but was not a valid URL`);
    }
  }
  const { serviceAccountJwksUri: jwksUri, serviceAccountMaxTokenExpiration: max = 0 } = options;
  if (jwksUri !== undefined) {
    if (!URL.canParse(jwksUri)) throw new OptionError('service-account-jwks-uri must be a valid URL');
    if (new URL(jwksUri).protocol !== 'https:') {
      throw new OptionError(`service-account-jwks-uri requires https scheme, parsed as: ${jwksUri}`);
    }
  }
  if (max !== 0 && (max < hour || max > 2 ** 32 * 1000)) {
    throw new OptionError('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  }
}

async function readPublicKeys(path: string): Promise<PublicKey[]> {
  try {
    return parsePublicKeys(await readFile(path, 'utf8'));
  } catch (error) {
    throw new OptionError(`--service-account-key-file: ${path}: ${messageOf(error)}`);
  }
}

/**
 * The signing key, and the keys that signed before forks. Each fork starts with a new key, so a token is valid where it
 * was made, and in forks that began later.
 */
class SigningKeys {
  /** Keys with which the origin still signs. They only verify tokens in Secrets. */
  readonly ofSecrets: readonly PublicKey[];
  readonly #keys: KeySource;
  readonly #retired: PublicKey[];
  /** Whether the key is from a file of the user, which keeps signing after forks. */
  readonly #isFixed: boolean;
  #current: SigningKey;

  private constructor(
    keys: KeySource,
    current: SigningKey,
    isFixed: boolean,
    { all, ofSecrets }: InheritedTokenKeys = { all: [], ofSecrets: [] },
  ) {
    this.#keys = keys;
    this.#current = current;
    this.#isFixed = isFixed;
    this.#retired = [...all];
    this.ofSecrets = ofSecrets;
  }

  static async open(options: ServiceAccountOptions, keys: KeySource, inherited?: InheritedTokenKeys): Promise<SigningKeys> {
    if (inherited !== undefined) return new SigningKeys(keys, SigningKey.ofProcess(keys), false, inherited);
    const isFixed = options.serviceAccountSigningKeyFile !== undefined;
    return new SigningKeys(keys, await SigningKey.open(options, keys), isFixed);
  }

  get(): Promise<ServiceAccountKey> {
    return this.#current.get();
  }

  async all(): Promise<readonly PublicKey[]> {
    return [await this.get(), ...this.#retired];
  }

  async fork(): Promise<InheritedTokenKeys> {
    const current = this.#current;
    const key = await current.existing();
    if (key === undefined) return { all: [...this.#retired], ofSecrets: this.ofSecrets };
    const { publicKey, algorithm, id } = key;
    const known = { publicKey, algorithm, id };
    if (this.#isFixed) return { all: [...this.#retired], ofSecrets: [...this.ofSecrets, known] };
    // another fork may have begun meanwhile
    if (this.#current === current) {
      this.#retired.push(known);
      this.#current = SigningKey.ofProcess(this.#keys);
    }
    return { all: [...this.#retired], ofSecrets: this.ofSecrets };
  }
}

/** A signing key from a file, in a folder, or in memory. */
class SigningKey {
  readonly #folder: string | undefined;
  readonly #keys: KeySource;
  #key: ServiceAccountKey | undefined;
  #creating: Promise<ServiceAccountKey> | undefined;

  private constructor(keys: KeySource, folder: string | undefined, key: ServiceAccountKey | undefined) {
    this.#keys = keys;
    this.#folder = folder;
    this.#key = key;
  }

  static async open({ serviceAccountSigningKeyFile: file, certDir: folder }: ServiceAccountOptions, keys: KeySource): Promise<SigningKey> {
    if (file !== undefined) return new SigningKey(keys, undefined, await readSigningKey(file));
    return new SigningKey(keys, folder, folder === undefined ? undefined : await readKey(folder));
  }

  static ofProcess(keys: KeySource): SigningKey {
    return new SigningKey(keys, undefined, undefined);
  }

  /** Returns the key if it has been created. */
  async existing(): Promise<ServiceAccountKey | undefined> {
    return this.#creating === undefined ? this.#key : this.get();
  }

  /** Returns the key. Creates it on first use. */
  async get(): Promise<ServiceAccountKey> {
    if (this.#key !== undefined) return this.#key;
    this.#creating ??= createKey(this.#keys, this.#folder);
    try {
      this.#key = await this.#creating;
    } finally {
      this.#creating = undefined;
    }
    return this.#key;
  }
}

async function readSigningKey(path: string): Promise<ServiceAccountKey> {
  try {
    return parseServiceAccountKey(await readFile(path, 'utf8'));
  } catch (error) {
    throw new OptionError(`--service-account-signing-key-file: ${path}: ${messageOf(error)}`);
  }
}

async function readKey(folder: string): Promise<ServiceAccountKey | undefined> {
  const path = join(folder, 'sa.key');
  try {
    const key = parseServiceAccountKey(await readFile(path, 'utf8'));
    await makePrivate(path);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OptionError(`--cert-dir: ${path}: ${messageOf(error)}`);
  }
}

async function createKey(keys: KeySource, folder: string | undefined): Promise<ServiceAccountKey> {
  const created = makeServiceAccountKey(keys);
  if (folder === undefined) return created;
  await ensureFolder(folder);
  const path = join(folder, 'sa.key');
  const temporary = `${path}.${created.id}.tmp`;
  try {
    await writeFile(temporary, privateKeyPem(created.privateKey), { mode: 0o600, flag: 'wx' });
    // unlike a rename, a link fails if another server created the key first
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  const key = (await readKey(folder)) ?? created;
  await writeFileAtomically(join(folder, 'sa.pub'), publicKeyPem(key));
  return key;
}

function tokenGetter(getObject: CoreObjectGetter): ServiceAccountTokenGetter {
  const tokenObject = decodedOnce((stored): TokenObject => {
    const { metadata, secrets } = stored.decode() as KubeObject & ServiceAccount;
    const { deletionTimestamp } = metadata;
    return {
      uid: stored.uid,
      deletedAt: deletionTimestamp ? parseTime(deletionTimestamp).seconds * 1000 : undefined,
      secrets: secrets?.flatMap(({ name }) => name ?? []),
    };
  });
  return (resource, namespace, name) => mapMaybeAsync(getObject(resource, namespace, name), (stored) => stored && tokenObject(stored));
}

function secretGetter(getObject: CoreObjectGetter): LegacyValidatorOptions['getSecret'] {
  const tokenSecret = decodedOnce((stored): TokenSecret => {
    const { metadata, data } = stored.decode() as KubeObject & Secret;
    const { deletionTimestamp, labels = {} } = metadata;
    return {
      token: Buffer.from(data?.token ?? '', 'base64'),
      isDeleted: Boolean(deletionTimestamp),
      isInvalid: Boolean(labels['kubernetes.io/legacy-token-invalid-since']),
      lastUsed: labels[lastUsedLabel] ?? '',
    };
  });
  return (namespace, name) => mapMaybeAsync(getObject('secrets', namespace, name), (stored) => stored && tokenSecret(stored));
}

/** Decodes each stored object once. Stored objects are immutable. */
function decodedOnce<T extends object>(decode: (stored: StoredObject) => T): (stored: StoredObject) => T {
  const cache = new WeakMap<StoredObject, T>();
  return (stored) => {
    let found = cache.get(stored);
    if (found === undefined) {
      found = decode(stored);
      cache.set(stored, found);
    }
    return found;
  };
}
