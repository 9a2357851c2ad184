import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindObject, FoundObject } from '../auth/service-account/existence.ts';
import { defaultIssuer, type IssueToken, tokenIssuer } from '../auth/service-account/issuer.ts';
import {
  makeServiceAccountKey,
  parseServiceAccountKey,
  privateKeyPem,
  publicKeyPem,
  type ServiceAccountKey,
} from '../auth/service-account/key.ts';
import { openIdConfiguration, openIdKeys } from '../auth/service-account/openid.ts';
import { ServiceAccountVerifier } from '../auth/service-account/verifier.ts';
import type { Clock } from '../machinery/clock.ts';
import { parseTime } from '../machinery/scalars/time.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { StoredObject } from '../storage/object-store/contract.ts';
import { makeFolder, makePrivate, writeFileAtomically } from './files.ts';
import { OptionError } from './options.ts';

/** Everything of a server that signs and knows tokens of service accounts. */
export interface ServiceAccounts {
  /** The server's own. */
  readonly audiences: readonly string[];
  readonly verifier: ServiceAccountVerifier;
  readonly issueToken: IssueToken;
  /** Bodies of the two OpenID paths. `keysUri` is where the keys are found. */
  openIdConfiguration(keysUri: string): Promise<object>;
  openIdKeys(): Promise<object>;
}

export interface ServiceAccountsOptions {
  /** Where the key is kept, as sa.key and sa.pub; in memory only when absent. */
  readonly folder?: string;
  readonly clock: Clock;
  /** Asked when a token comes, not before. */
  readonly stores: () => ResourceStores;
}

/**
 * The key is made when it is first needed, by whichever server on the folder needs it first.
 *
 * @throws OptionError for a key file that cannot be used
 */
export async function openServiceAccounts({ folder, clock, stores }: ServiceAccountsOptions): Promise<ServiceAccounts> {
  let known = folder === undefined ? undefined : await readKey(folder);
  let making: Promise<ServiceAccountKey> | undefined;
  const key = async (): Promise<ServiceAccountKey> => {
    if (known !== undefined) return known;
    making ??= provideKey(folder);
    try {
      known = await making;
    } finally {
      making = undefined;
    }
    return known;
  };
  const facts = { issuer: defaultIssuer, audiences: [defaultIssuer], key, clock };
  return {
    audiences: facts.audiences,
    verifier: new ServiceAccountVerifier({ ...facts, find: objectFinder(stores) }),
    issueToken: tokenIssuer(facts),
    openIdConfiguration: async (keysUri) => openIdConfiguration(facts.issuer, keysUri, await key()),
    openIdKeys: async () => openIdKeys(await key()),
  };
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

async function provideKey(folder: string | undefined): Promise<ServiceAccountKey> {
  const made = makeServiceAccountKey();
  if (folder === undefined) return made;
  await makeFolder(folder);
  const path = join(folder, 'sa.key');
  const beside = `${path}.${made.id}.tmp`;
  try {
    await writeFile(beside, privateKeyPem(made), { mode: 0o600, flag: 'wx' });
    // unlike a rename, a link leaves the key of a faster server where it is
    await link(beside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(beside, { force: true });
  }
  const kept = (await readKey(folder)) ?? made;
  await writeFileAtomically(join(folder, 'sa.pub'), publicKeyPem(kept));
  return kept;
}

function objectFinder(stores: () => ResourceStores): FindObject {
  // objects are immutable, so what was read of one holds for as long as it is the current one
  const read = new WeakMap<StoredObject, FoundObject>();
  return async (resource, namespace, name) => {
    const all = stores();
    if (all.registry.lookup('', 'v1', resource) === undefined) return undefined;
    const { collection } = await all.named('', 'v1', resource);
    const stored = collection.latest().get(namespace, name);
    if (stored === undefined) return undefined;
    let found = read.get(stored);
    if (found === undefined) {
      const { deletionTimestamp } = stored.decode().metadata;
      const deletedAt = deletionTimestamp ? parseTime(deletionTimestamp).seconds * 1000 : undefined;
      found = { uid: stored.uid, deletedAt };
      read.set(stored, found);
    }
    return found;
  };
}
