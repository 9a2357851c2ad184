import { alreadyExists, isStatusError } from '../../../machinery/errors/status.ts';
import { withoutEventLoopBudget } from '../../../machinery/event-loop/budget.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { JsonObject, KubeObject } from '../../../machinery/object.ts';
import type { Random } from '../../../machinery/random.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { type OpenResource, openResource } from '../../../resources/informer.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { ResourceStores } from '../../../resources/stores.ts';
import { rbacGroup } from '../objects.ts';
import { type Reconciled, reconciledRole, reconciledRoleBinding } from '../reconciliation/reconcile.ts';
import { bootstrapPolicy } from './bootstrap-policy.ts';

type Reconcile<T> = (existing: T, expected: T) => Reconciled<T>;

/**
 * Creates the roles and bindings that every cluster has, and adds what existing ones lack, as far as the server serves
 * these resources. Writes nothing if nothing is missing. (pkg/registry/rbac/rest/storage_rbac.go ensureRBACPolicy)
 *
 * @param minor of the Kubernetes release
 */
export async function ensureRBACPolicy(stores: ResourceStores, minor: number): Promise<void> {
  const policy = bootstrapPolicy(minor);
  const system = { now: stores.clock.now(), random: stores.random };
  const ensureAll = async <T extends KubeObject>(resource: string, expected: readonly T[], reconcile: Reconcile<T>): Promise<void> => {
    if (stores.registry.lookup(rbacGroup, 'v1', resource) === undefined) return;
    const open = await openResource(stores, { group: rbacGroup, version: 'v1', resource });
    await Promise.all(expected.map((object) => ensure(open, object, reconcile, system)));
  };
  await Promise.all([
    ensureAll('clusterroles', policy.clusterRoles, reconciledRole),
    ensureAll('clusterrolebindings', policy.clusterRoleBindings, reconciledRoleBinding),
    ensureAll('roles', policy.roles, reconciledRole),
    ensureAll('rolebindings', policy.roleBindings, reconciledRoleBinding),
  ]);
}

/** What the server's own metadata is made of. */
interface SystemValues {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

const writer = loopbackWriter('kube-apiserver');
const attempts = 3;

/** Starts over if another server on the same store has created or deleted the object. */
async function ensure<T extends KubeObject>(open: OpenResource, expected: T, reconcile: Reconcile<T>, system: SystemValues): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryEnsure(open, expected, reconcile, system);
    } catch (error) {
      const isRace = isStatusError(error) && ['AlreadyExists', 'Conflict', 'NotFound'].includes(error.status.reason ?? '');
      if (!isRace || attempt === attempts) throw error;
      await open.store.collection.mostRecent();
    }
  }
}

async function tryEnsure<T extends KubeObject>(
  { definition, store }: OpenResource,
  expected: T,
  reconcile: Reconcile<T>,
  system: SystemValues,
): Promise<void> {
  const { namespace = '', name = '' } = expected.metadata;
  const stored = store.collection.latest().get(namespace, name);
  const create = async (): Promise<void> => {
    const object = newObject(expected, definition, system);
    const created = await store.collection.create(definition.conversion.toStorage(object));
    if (created === undefined) throw alreadyExists(definition, name);
  };
  if (stored === undefined) return create();
  const existing = definition.conversion.fromStorage(stored.decode()) as T;
  const reconciled = withoutEventLoopBudget(() => reconcile(existing, expected));
  if (reconciled === undefined) return;
  const { uid } = existing.metadata;
  if (reconciled.operation === 'recreate') {
    await store.delete(definition, { namespace, name, preconditions: defined({ uid }) }, writer);
    return create();
  }
  await store.update(
    definition,
    {
      namespace,
      name,
      part: 'main',
      requireVersion: true,
      preconditionUid: uid,
      change: () => structuredClone(reconciled.object as KubeObject),
    },
    writer,
  );
}

/**
 * The object as a create request would store it. Its content is known to be valid, and a server that starts with more than
 * a hundred of them should start in a blink.
 */
function newObject(
  { apiVersion, kind, metadata, ...content }: KubeObject,
  { resourcePrefix }: OpenResource['definition'],
  { now, random }: SystemValues,
): KubeObject {
  const time = timeText(now);
  const uid = random.uuid(resourcePrefix, metadata.namespace, metadata.name);
  const managed = { manager: 'kube-apiserver', operation: 'Update', ...defined({ apiVersion }), time, fieldsType: 'FieldsV1' };
  const fieldsV1 = { 'f:metadata': ownedMetadata(metadata), ...ownedFields(content) };
  return {
    ...defined({ kind, apiVersion }),
    metadata: { ...metadata, uid, creationTimestamp: time, managedFields: [{ ...managed, fieldsV1 }] },
    ...content,
    // as it is written in Go, where a role has rules or null
    ...(kind === 'ClusterRole' && !('rules' in content) ? { rules: null } : {}),
  };
}

const ownedMetadata = ({ annotations = {}, labels = {} }: KubeObject['metadata']): JsonObject => ({
  'f:annotations': { '.': {}, ...ownedKeys(annotations) },
  'f:labels': { '.': {}, ...ownedKeys(labels) },
});

/** All fields are atomic but aggregationRule, whose only field is. */
const ownedFields = (content: object): JsonObject => ({
  ...ownedKeys(content),
  ...('aggregationRule' in content ? { 'f:aggregationRule': { '.': {}, 'f:clusterRoleSelectors': {} } } : {}),
});

const ownedKeys = (members: object): JsonObject =>
  Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((key) => [`f:${key}`, {}]),
  );
