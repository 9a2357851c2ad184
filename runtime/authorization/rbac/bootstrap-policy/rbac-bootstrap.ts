import { alreadyExists, isStatusError } from '../../../machinery/errors/status.ts';
import { withoutEventLoopBudget } from '../../../machinery/event-loop/budget.ts';
import type { FeatureGates } from '../../../machinery/feature-gates/feature-gates.ts';
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
 * Creates the roles and bindings of every cluster, and completes existing ones, if the server serves these resources.
 * Writes nothing if nothing is missing. (pkg/registry/rbac/rest/storage_rbac.go ensureRBACPolicy)
 *
 * @param minor of the Kubernetes release
 */
export async function ensureRBACPolicy(stores: ResourceStores, minor: number, gates: FeatureGates): Promise<void> {
  const policy = bootstrapPolicy(minor, gates);
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

/** The inputs of metadata that the server sets. */
interface SystemValues {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly random: Random;
}

const writer = loopbackWriter('kube-apiserver');
const attempts = 3;

/** Creates or completes an object. Starts over if another server creates or deletes it meanwhile. */
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
 * Returns the object in the form that a create request would store. Skips validation, because the content is valid, and
 * creating more than a hundred objects must not slow the start.
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
    // Go writes a role without rules as null
    ...(kind === 'ClusterRole' && !('rules' in content) ? { rules: null } : {}),
  };
}

const ownedMetadata = ({ annotations = {}, labels = {} }: KubeObject['metadata']): JsonObject => ({
  'f:annotations': { '.': {}, ...ownedKeys(annotations) },
  'f:labels': { '.': {}, ...ownedKeys(labels) },
});

/** Returns the owned fields. All are atomic except aggregationRule, whose only field is atomic. */
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
