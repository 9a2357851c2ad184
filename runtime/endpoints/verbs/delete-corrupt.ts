import { requireUser } from '../../http/request-state.ts';
import { forbidden, invalid } from '../../machinery/errors/status.ts';
import { invalid as invalidField } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import { findCorrupt } from '../../resources/corrupt-objects.ts';
import type { ResourceRequest } from '../resource-request.ts';

const optionPath = FieldPath.of('ignoreStoreReadErrorWithClusterBreakingPotential');
const verb = 'unsafe-delete-ignore-read-errors';

/**
 * Removes an object whose stored bytes cannot be decoded, without regard to finalizers, preconditions and the strategy. The
 * user needs permission for a verb of its own. (apiserver registry/generic/registry/corrupt_obj_deleter.go,
 * endpoints/handlers/delete.go)
 *
 * @throws StatusError 403; 422 for an object that can be decoded or does not exist
 */
export async function deleteCorrupt(request: ResourceRequest): Promise<void> {
  const { definition, store, namespace, name } = request;
  await requirePermission(request);
  await store.collection.mostRecent();
  const corrupt = findCorrupt(store.collection, { namespace, name });
  if (corrupt === undefined) {
    // As upstream, `kind` is the plural.
    throw invalid({ group: definition.group, kind: definition.resource }, name, [
      invalidField(optionPath, true, 'is exclusively used to delete corrupt object(s), try again by removing this option'),
    ]);
  }
  await store.collection.delete(namespace, name, corrupt.revision);
}

/** Unsafe deletion does not apply to collections. @throws StatusError 422 */
export function forbidUnsafeCollection(): never {
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    invalidField(optionPath, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);
}

async function requirePermission({ ctx, scope, definition, namespace, name }: ResourceRequest): Promise<void> {
  const { group, version, resource } = definition;
  const { decision, reason } = await scope.authorizer.authorize({
    user: requireUser(ctx.state),
    verb,
    isResourceRequest: true,
    path: ctx.path,
    group,
    version,
    resource,
    subresource: '',
    namespace,
    name,
  });
  if (decision !== 'allow') throw forbidden(definition, name, `not permitted to do "${verb}", reason: ${reason}`);
}
