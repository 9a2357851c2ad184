import { isAuthenticationError } from '../../authentication/authenticator.ts';
import type { GeneratedToken, TokenGenerator, TokenParameters } from '../../authentication/service-account/token-generator.ts';
import type { TokenAuthenticator, TokenResult } from '../../authentication/token/token.ts';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from '../../authorization/authorizer.ts';
import type { PolicyRule, RoleRef } from '../../authorization/rbac/objects.ts';
import type { AuthorizationRuleResolver, ResolvedRules } from '../../authorization/rbac/rule-resolver.ts';
import type { AllocationFailure, ClusterIPRequest, NodePortRequest, ServiceAllocators } from '../../kinds/core/service/allocators.ts';
import type { GroupResource, GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { ObjectKey } from '../../machinery/object-key.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import type { Listers } from '../../resources/lister.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { Collection } from '../../storage/object-store/contract.ts';
import { dataOf, type StoredObjectData } from '../../storage/object-store/detached-object.ts';

/** Selects stored objects of one resource. */
export interface ObjectQuery {
  readonly collection: GroupResource;
  /** Default: all objects. */
  readonly namespace?: string | undefined;
  /** One object. Default: all objects of the namespace. */
  readonly name?: string | undefined;
  /** The object after which a list begins. */
  readonly after?: ObjectKey | undefined;
  /** `newest`: with every write that any server acknowledged. `corrupt`: objects that cannot be decoded. */
  readonly state: 'known' | 'newest' | 'corrupt';
}

/** Selects objects of the server behind which this one stands. */
export interface ExternalQuery {
  readonly resource: GroupVersionResource;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** `error` is the message of an AuthenticationError. */
export type TokenAnswer = { readonly value: TokenResult } | { readonly error: string };

/**
 * The questions of a job about facts that it did not come with. Questions and answers are plain data. Only allocations
 * change anything: they happen during a job, because validation sees the allocated values.
 */
export interface Questions {
  objects(query: ObjectQuery): Promise<readonly StoredObjectData[]>;
  /** See Collection.isStale. */
  isStale(collection: GroupResource, key: ObjectKey): Promise<boolean>;
  /** Undefined if the objects are not known in time. */
  externalObjects(query: ExternalQuery): Promise<readonly KubeObject[] | undefined>;
  /** See ExternalObjects.get. */
  externalObject(resource: GroupVersionResource, namespace: string, name: string): Promise<KubeObject>;
  authorize(attributes: AuthorizerAttributes): Promise<AuthorizerDecision>;
  /** Only if the authorizer lists rules. */
  rulesFor(user: UserInfo, namespace: string): Promise<UserRules>;
  roleReferenceRules(roleRef: RoleRef, namespace: string): Promise<readonly PolicyRule[] | undefined>;
  /** See AuthorizationRuleResolver.rulesFor. */
  resolveRules(user: UserInfo, namespace: string): Promise<ResolvedRules>;
  authenticateToken(token: string, audiences: readonly string[]): Promise<TokenAnswer>;
  issueToken(parameters: TokenParameters): Promise<GeneratedToken>;
  allocateClusterIP(request: ClusterIPRequest): Promise<string | AllocationFailure>;
  allocateNodePort(request: NodePortRequest): Promise<number | AllocationFailure>;
}

export interface AnswersOptions {
  readonly stores: ResourceStores;
  readonly listers: Listers;
  readonly authorizer: Authorizer;
  readonly ruleResolver: AuthorizationRuleResolver;
  readonly tokens: TokenAuthenticator;
  readonly issueToken: TokenGenerator;
}

/** Answers questions with the server's own parts. */
export function newAnswers(
  { stores, listers, authorizer, ruleResolver, tokens, issueToken }: AnswersOptions,
  allocators: Pick<ServiceAllocators, 'allocateClusterIP' | 'allocateNodePort'>,
): Questions {
  return {
    objects: (query) => readObjects(stores, query),
    async isStale(collection, { namespace, name }) {
      const found = await collectionOf(stores, collection);
      const stored = found.latest().get(namespace, name);
      return stored !== undefined && found.isStale(stored);
    },
    async externalObjects({ resource, namespace, name }) {
      const lister = await listers.open(resource).catch(() => undefined);
      if (lister === undefined || namespace === undefined || name === undefined) return lister?.list(namespace);
      const known = lister.get(namespace, name);
      return known === undefined ? [] : [known];
    },
    async externalObject(resource, namespace, name) {
      if (listers.external === undefined) throw new Error('this server stands behind no other');
      return listers.external.get(resource, namespace, name);
    },
    authorize: async (attributes) => authorizer.authorize(attributes),
    async rulesFor(user, namespace) {
      if (authorizer.rulesFor === undefined) throw new Error('the authorizer does not list rules');
      return authorizer.rulesFor(user, namespace);
    },
    roleReferenceRules: async (roleRef, namespace) => ruleResolver.roleReferenceRules(roleRef, namespace),
    resolveRules: async (user, namespace) => ruleResolver.rulesFor(user, namespace),
    authenticateToken: (token, audiences) => authenticate(tokens, token, audiences),
    issueToken,
    allocateClusterIP: (request) => allocators.allocateClusterIP(request),
    allocateNodePort: (request) => allocators.allocateNodePort(request),
  };
}

async function readObjects(stores: ResourceStores, query: ObjectQuery): Promise<readonly StoredObjectData[]> {
  const { namespace, name, after, state } = query;
  const collection = await collectionOf(stores, query.collection);
  if (state === 'corrupt') return collection.corrupt().map(dataOf);
  const snapshot = state === 'newest' ? await collection.mostRecent() : collection.latest();
  if (name === undefined) return [...snapshot.scan({ namespace, ...(after && { after }) })].map(dataOf);
  const stored = snapshot.get(namespace ?? '', name);
  return stored === undefined ? [] : [dataOf(stored)];
}

/**
 * Returns the objects of a resource.
 *
 * @throws Error if the resource is no longer served
 */
export async function collectionOf(stores: ResourceStores, { group, resource }: GroupResource): Promise<Collection> {
  const entry = stores.registry.stored(group, resource);
  if (entry === undefined) throw new Error(`no objects of ${resource} in group "${group}" are served`);
  return (await stores.open(entry.definition ?? (await entry.load()))).collection;
}

async function authenticate(authenticator: TokenAuthenticator, token: string, audiences: readonly string[]): Promise<TokenAnswer> {
  try {
    return { value: await authenticator.authenticateToken(token, audiences) };
  } catch (error) {
    if (isAuthenticationError(error)) return { error: error.message };
    throw error;
  }
}
