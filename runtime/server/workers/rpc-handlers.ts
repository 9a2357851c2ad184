import type { QuotaReservations } from '../../admission/quota/accountant.ts';
import type { QuotaRequest } from '../../admission/quota/check-request.ts';
import type { Reservation, ReserveResult } from '../../admission/quota/namespace-account.ts';
import type { RateLimit, RateLimiters } from '../../admission/rate-limiters.ts';
import { isAuthenticationError } from '../../authentication/authenticator.ts';
import type { GeneratedToken, TokenGenerator, TokenParameters } from '../../authentication/service-account/token-generator.ts';
import type { TokenAuthenticator, TokenResult } from '../../authentication/token/token.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from '../../authorization/authorizer.ts';
import type { PolicyRule, RoleRef } from '../../authorization/rbac/objects.ts';
import type { AuthorizationRuleResolver, ResolvedRules } from '../../authorization/rbac/rule-resolver.ts';
import type {
  AllocationFailure,
  ClusterIPRequest,
  NodePortRequest,
  ServiceAllocators,
  ServiceName,
} from '../../kinds/core/service/allocators.ts';
import type { ResourceFacts } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Listers } from '../../resources/lister.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection, CollectionSnapshot, EncodedObject, StoredObject } from '../../storage/object-store/contract.ts';
import type { StoredObjectData } from '../../storage/object-store/detached-object.ts';
import { type ExternalObjectCalls, externalObjectCalls } from './remote-external-objects.ts';

/** The key of a collection. */
export interface CollectionKey {
  readonly group: string;
  readonly resource: string;
}

type ScanOptions = Parameters<CollectionSnapshot['scan']>[0];

/** The calls of a worker to the server. The worker blocks until the result arrives. */
export interface RpcHandlers extends ExternalObjectCalls {
  revision(): number;
  hasObjects(resource: Pick<ResourceFacts, 'resourcePrefix'>): Promise<boolean>;
  /** Resolves with the least revision of later reads. */
  mostRecent(key: CollectionKey): Promise<number>;
  storageKey(key: CollectionKey, namespace: string, name: string): Promise<string>;
  get(key: CollectionKey, namespace: string, name: string): Promise<StoredObjectData | undefined>;
  scan(key: CollectionKey, options: ScanOptions): Promise<readonly StoredObjectData[]>;
  corrupt(key: CollectionKey): Promise<readonly StoredObjectData[]>;
  isStale(key: CollectionKey, namespace: string, name: string): Promise<boolean>;
  put(key: CollectionKey, encoded: EncodedObject, expect: number): Promise<StoredObjectData | undefined>;
  delete(key: CollectionKey, namespace: string, name: string, expect: number): Promise<StoredObjectData | undefined>;
  authorize(attributes: AuthorizerAttributes): Promise<AuthorizerDecision>;
  /** Present only if the authorizer implements it. */
  rulesFor(user: UserInfo, namespace: string): Promise<UserRules>;
  roleReferenceRules(roleRef: RoleRef, namespace: string): Promise<readonly PolicyRule[] | undefined>;
  /** See AuthorizationRuleResolver.rulesFor. */
  resolveRules(user: UserInfo, namespace: string): Promise<ResolvedRules>;
  authenticateToken(token: string, audiences: readonly string[]): Promise<TokenCallResult>;
  issueToken(order: TokenParameters): Promise<GeneratedToken>;
  allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure>;
  releaseClusterIP(address: string, service: ServiceName): Promise<void>;
  allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure>;
  releaseNodePorts(ports: readonly number[]): Promise<void>;
  reserveQuota(request: QuotaRequest): Promise<ReserveResult>;
  settleQuota(reservation: Reservation, stored: boolean): void;
  tryAccept(limit: RateLimit, key: string): boolean;
}

/** `error` is the message of an AuthenticationError. */
export type TokenCallResult = { readonly value: TokenResult } | { readonly error: string };

export interface RpcHandlersOptions {
  readonly stores: ResourceStores;
  readonly authorizer: Authorizer;
  readonly ruleResolver: AuthorizationRuleResolver;
  readonly tokens: TokenAuthenticator;
  readonly issueToken: TokenGenerator;
  readonly listers: Listers;
  readonly quota: QuotaReservations;
  readonly rateLimiters: RateLimiters;
  readonly serviceAllocators: ServiceAllocators;
}

/** Handles the calls of workers with the server's own store, authorizer and token authenticators. */
export function createRpcHandlers(options: RpcHandlersOptions): RpcHandlers {
  const { stores, authorizer, ruleResolver, tokens, issueToken, listers } = options;
  const { quota, rateLimiters, serviceAllocators } = options;
  return {
    revision: () => stores.revision(),
    hasObjects: (resource) => stores.hasObjects(resource),
    async mostRecent(key) {
      return (await (await collectionOf(stores, key)).mostRecent()).revision;
    },
    async storageKey(key, namespace, name) {
      return (await collectionOf(stores, key)).storageKey(namespace, name);
    },
    async get(key, namespace, name) {
      return dataOf((await collectionOf(stores, key)).latest().get(namespace, name));
    },
    async scan(key, options) {
      return [...(await collectionOf(stores, key)).latest().scan(options)].map((each) => dataOf(each));
    },
    async corrupt(key) {
      return (await collectionOf(stores, key)).corrupt().map((each) => dataOf(each));
    },
    async isStale(key, namespace, name) {
      const collection = await collectionOf(stores, key);
      const stored = collection.latest().get(namespace, name);
      return stored !== undefined && collection.isStale(stored);
    },
    async put(key, encoded, expect) {
      return dataOf(await (await collectionOf(stores, key)).put(encoded, expect));
    },
    async delete(key, namespace, name, expect) {
      return dataOf(await (await collectionOf(stores, key)).delete(namespace, name, expect));
    },
    authorize: async (attributes) => authorizer.authorize(attributes),
    async rulesFor(user, namespace) {
      if (authorizer.rulesFor === undefined) throw new Error('the authorizer does not list rules');
      return authorizer.rulesFor(user, namespace);
    },
    roleReferenceRules: async (roleRef, namespace) => ruleResolver.roleReferenceRules(roleRef, namespace),
    resolveRules: async (user, namespace) => ruleResolver.rulesFor(user, namespace),
    authenticateToken: (token, audiences) => tokenResult(async () => tokens.authenticateToken(token, audiences)),
    issueToken,
    ...externalObjectCalls(listers),
    allocateClusterIP: (request) => serviceAllocators.allocateClusterIP(request),
    releaseClusterIP: (address, service) => serviceAllocators.releaseClusterIP(address, service),
    allocateNodePort: (request) => serviceAllocators.allocateNodePort(request),
    releaseNodePorts: (ports) => serviceAllocators.releaseNodePorts(ports),
    async reserveQuota(request) {
      await quota.open();
      return quota.reserve(request);
    },
    settleQuota: (reservation, stored) => quota.settle(reservation, stored),
    tryAccept: (limit, key) => rateLimiters.tryAccept(limit, key),
  };
}

/** Returns a collection. Its resource may no longer be served while a worker still runs a request for it. */
async function collectionOf(stores: ResourceStores, key: CollectionKey): Promise<Collection> {
  const entry = stores.registry.stored(key.group, key.resource);
  if (entry === undefined) throw new Error(`no objects of ${key.resource} in group "${key.group}" are served`);
  return (await stores.open(entry.definition ?? (await entry.load()))).collection;
}

function dataOf(stored: StoredObject): StoredObjectData;
function dataOf(stored: StoredObject | undefined): StoredObjectData | undefined;
function dataOf(stored: StoredObject | undefined): StoredObjectData | undefined {
  if (stored === undefined) return undefined;
  const { namespace, name, uid, revision, createRevision, json, labels, fields } = stored;
  const { changesWhenRead, transformError, decodeError } = stored;
  return {
    namespace,
    name,
    uid,
    revision,
    createRevision,
    json,
    labels,
    fields,
    changesWhenRead,
    transformError,
    decodeError,
  };
}

async function tokenResult(authenticate: () => Promise<TokenResult>): Promise<TokenCallResult> {
  try {
    return { value: await authenticate() };
  } catch (error) {
    if (isAuthenticationError(error)) return { error: error.message };
    throw error;
  }
}
