import { isAuthenticationError } from '../../auth/authenticator.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from '../../auth/authorizer.ts';
import type { AcceptedToken, TokenVerifier } from '../../auth/bearer-token.ts';
import type { IssuedToken, IssueToken, TokenOrder } from '../../auth/service-account/issuer.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import {
  type AddressRequest,
  type Family,
  type Refusal,
  serviceAddresses,
} from '../../resources/builtin/core/service-addresses.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, EncodedObject, Snapshot, StoredObject } from '../../storage/object-store/contract.ts';
import type { StoredObjectData } from '../../storage/object-store/detached-object.ts';

/** Where a collection is. */
export interface CollectionKey {
  readonly group: string;
  readonly resource: string;
}

type ScanOptions = Parameters<Snapshot['scan']>[0];

/** What a worker may ask the server; each waits for its answer. */
export interface ServerCalls {
  revision(): number;
  holds(key: CollectionKey): Promise<boolean>;
  get(key: CollectionKey, namespace: string, name: string): Promise<StoredObjectData | undefined>;
  scan(key: CollectionKey, options: ScanOptions): Promise<readonly StoredObjectData[]>;
  corrupt(key: CollectionKey): Promise<readonly StoredObjectData[]>;
  put(key: CollectionKey, encoded: EncodedObject, expect: number): Promise<StoredObjectData | undefined>;
  delete(key: CollectionKey, namespace: string, name: string, expect: number): Promise<StoredObjectData | undefined>;
  authorize(attributes: AuthorizerAttributes): Promise<AuthorizerDecision>;
  rulesFor(user: UserInfo, namespace: string): Promise<UserRules | undefined>;
  /** @param verifier the place of the verifier among the server's */
  verify(verifier: number, token: string): Promise<VerifiedToken<UserInfo>>;
  verifyFor(verifier: number, token: string, audiences: readonly string[]): Promise<VerifiedToken<AcceptedToken>>;
  issueToken(order: TokenOrder): Promise<IssuedToken>;
  serviceAddress(family: Family, owner: string, asked: string, request: AddressRequest): Promise<string | Refusal>;
  servicePort(owner: string, asked: number, request: AddressRequest): Promise<number | Refusal>;
}

/** `refused`: an AuthenticationError and why. */
export type VerifiedToken<T> = { readonly found: T | undefined } | { readonly refused: string };

export interface ServerCallsParts {
  readonly stores: ResourceStores;
  readonly authorizer: Authorizer;
  readonly tokens: readonly TokenVerifier[];
  readonly issueToken: IssueToken;
}

/** Answers workers from the server's own store and by its own rules. */
export function serverCalls({ stores, authorizer, tokens, issueToken }: ServerCallsParts): ServerCalls {
  const pool = () => serviceAddresses(stores);
  return {
    revision: () => stores.revision(),
    holds: (key) => stores.holds(key),
    async get(key, namespace, name) {
      return sent((await collectionOf(stores, key)).latest().get(namespace, name));
    },
    async scan(key, options) {
      return [...(await collectionOf(stores, key)).latest().scan(options)].map((each) => sent(each));
    },
    async corrupt(key) {
      return (await collectionOf(stores, key)).corrupt().map((each) => sent(each));
    },
    async put(key, encoded, expect) {
      return sent(await (await collectionOf(stores, key)).put(encoded, expect));
    },
    async delete(key, namespace, name, expect) {
      return sent(await (await collectionOf(stores, key)).delete(namespace, name, expect));
    },
    authorize: async (attributes) => authorizer.authorize(attributes),
    rulesFor: async (user, namespace) => authorizer.rulesFor?.(user, namespace),
    verify: (verifier, token) => verified(async () => tokens[verifier].verify(token)),
    verifyFor: (verifier, token, audiences) => verified(async () => tokens[verifier].verifyFor?.(token, audiences)),
    issueToken,
    serviceAddress: async (family, owner, asked, request) => (await pool()).address(family, owner, asked, request),
    servicePort: async (owner, asked, request) => (await pool()).port(owner, asked, request),
  };
}

/** A worker names what the server serves at this moment, or served when the request began. */
async function collectionOf(stores: ResourceStores, key: CollectionKey): Promise<Collection> {
  const entry = stores.registry.stored(key.group, key.resource);
  if (entry === undefined) throw new Error(`no objects of ${key.resource} in group "${key.group}" are served`);
  return (await stores.of(entry.definition ?? (await entry.load()))).collection;
}

function sent(stored: StoredObject): StoredObjectData;
function sent(stored: StoredObject | undefined): StoredObjectData | undefined;
function sent(stored: StoredObject | undefined): StoredObjectData | undefined {
  if (stored === undefined) return undefined;
  const { namespace, name, uid, revision, createRevision, json, labels, fields } = stored;
  return { namespace, name, uid, revision, createRevision, json, labels, fields };
}

async function verified<T>(ask: () => Promise<T | undefined>): Promise<VerifiedToken<T>> {
  try {
    return { found: await ask() };
  } catch (error) {
    if (isAuthenticationError(error)) return { refused: error.message };
    throw error;
  }
}
