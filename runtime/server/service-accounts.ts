import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceAccountTokenGetter, TokenObject } from '../authentication/service-account/claims-validator.ts';
import {
  makeServiceAccountKey,
  parseServiceAccountKey,
  privateKeyPem,
  publicKeyPem,
  type ServiceAccountKey,
} from '../authentication/service-account/key.ts';
import { openIdConfiguration, openIdKeys } from '../authentication/service-account/openid.ts';
import { JWTTokenAuthenticator } from '../authentication/service-account/token-authenticator.ts';
import {
  defaultIssuer,
  jwtTokenGenerator,
  type TokenGenerator,
} from '../authentication/service-account/token-generator.ts';
import type { Clock } from '../machinery/clock.ts';
import { parseTime } from '../machinery/scalars/time.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import type { CoreObjectGetter } from './core-objects.ts';
import { ensureFolder, makePrivate, writeFileAtomically } from './files.ts';
import { OptionError } from './options.ts';

/** Signs and verifies the service account tokens of a server. */
export interface ServiceAccounts {
  /** The audiences of the server itself. */
  readonly audiences: readonly string[];
  readonly verifier: JWTTokenAuthenticator;
  readonly issueToken: TokenGenerator;
  /** The bodies of the two OpenID paths. `keysUri` is the address of the keys. */
  openIdConfiguration(keysUri: string): Promise<object>;
  openIdKeys(): Promise<object>;
}

export interface ServiceAccountsOptions {
  /** The folder of the key files sa.key and sa.pub. Default: the key is only in memory. */
  readonly folder?: string;
  readonly clock: Clock;
  readonly getObject: CoreObjectGetter;
}

/**
 * Loads the signing key, or creates it when it is first needed. Several servers can share the folder.
 *
 * @throws OptionError for an invalid key file
 */
export async function openServiceAccounts({
  folder,
  clock,
  getObject,
}: ServiceAccountsOptions): Promise<ServiceAccounts> {
  const signingKey = await SigningKey.open(folder);
  const tokenOptions = { issuer: defaultIssuer, key: () => signingKey.get(), clock };
  const audiences = [defaultIssuer];
  return {
    audiences,
    verifier: new JWTTokenAuthenticator({ ...tokenOptions, get: tokenGetter(getObject) }),
    issueToken: jwtTokenGenerator({ ...tokenOptions, audiences }),
    openIdConfiguration: async (keysUri) => openIdConfiguration(tokenOptions.issuer, keysUri, await signingKey.get()),
    openIdKeys: async () => openIdKeys(await signingKey.get()),
  };
}

/** The signing key of a folder, or of this process if there is no folder. */
class SigningKey {
  readonly #folder: string | undefined;
  #key: ServiceAccountKey | undefined;
  #creating: Promise<ServiceAccountKey> | undefined;

  private constructor(folder: string | undefined, key: ServiceAccountKey | undefined) {
    this.#folder = folder;
    this.#key = key;
  }

  static async open(folder: string | undefined): Promise<SigningKey> {
    return new SigningKey(folder, folder === undefined ? undefined : await readKey(folder));
  }

  /** Creates the key on first use. */
  async get(): Promise<ServiceAccountKey> {
    if (this.#key !== undefined) return this.#key;
    this.#creating ??= createKey(this.#folder);
    try {
      this.#key = await this.#creating;
    } finally {
      this.#creating = undefined;
    }
    return this.#key;
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
    throw new OptionError(`--cert-dir: ${path}: ${(error as Error).message}`);
  }
}

async function createKey(folder: string | undefined): Promise<ServiceAccountKey> {
  const created = makeServiceAccountKey();
  if (folder === undefined) return created;
  await ensureFolder(folder);
  const path = join(folder, 'sa.key');
  const temporary = `${path}.${created.id}.tmp`;
  try {
    await writeFile(temporary, privateKeyPem(created), { mode: 0o600, flag: 'wx' });
    // unlike a rename, a link fails if another server created the key
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
  // stored objects are immutable, so this caches what was decoded of them
  const cache = new WeakMap<StoredObject, TokenObject>();
  return async (resource, namespace, name) => {
    const stored = await getObject(resource, namespace, name);
    if (stored === undefined) return undefined;
    let found = cache.get(stored);
    if (found === undefined) {
      const { deletionTimestamp } = stored.decode().metadata;
      const deletedAt = deletionTimestamp ? parseTime(deletionTimestamp).seconds * 1000 : undefined;
      found = { uid: stored.uid, deletedAt };
      cache.set(stored, found);
    }
    return found;
  };
}
