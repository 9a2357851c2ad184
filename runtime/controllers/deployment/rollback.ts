import type { ReplicaSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { rollbackToOf, setRollbackTo } from '../../kinds/apps/deprecated-annotations.ts';
import type { DeploymentSync } from './deployment-sync.ts';
import { requireNewReplicaSet } from './new-replica-set.ts';
import { equalIgnoreHash, withoutHash } from './replica-sets.ts';
import { lastRevision, ownAnnotations, revisionOf, sharedAnnotations } from './revisions.ts';

/**
 * Restores the template of an earlier revision, requested by an annotation that replaces a field of API versions no
 * longer served. (pkg/controller/deployment/rollback.go)
 */
export async function rollback(sync: DeploymentSync): Promise<void> {
  await requireNewReplicaSet(sync);
  const { deployment, allSets } = sync;
  const wanted = rollbackToOf(deployment) ?? 0n;
  const revision = wanted === 0n ? lastRevision(allSets) : wanted;
  const set = revision === 0n ? undefined : allSets.find((one) => revisionOf(one) === revision);
  if (set === undefined) {
    const message = revision === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    sync.event('Warning', 'DeploymentRollbackRevisionNotFound', message);
    return clearRollbackTo(sync);
  }
  if (equalIgnoreHash(deployment.spec?.template ?? {}, set.spec?.template ?? {})) {
    const message = `The rollback revision contains the same template as current deployment "${deployment.metadata.name}"`;
    sync.event('Warning', 'DeploymentRollbackTemplateUnchanged', message);
    return clearRollbackTo(sync);
  }
  await clearRollbackTo(sync, set);
  sync.event('Normal', 'DeploymentRollback', `Rolled back deployment "${deployment.metadata.name}" to revision ${revision}`);
}

/** @param set the ReplicaSet whose template and annotations are restored, if any */
async function clearRollbackTo({ deployment, context }: DeploymentSync, set?: ReplicaSet): Promise<void> {
  const { namespace = '', name = '' } = deployment.metadata;
  await context.deployments.change({ namespace, name }, (current) => {
    const { spec } = current;
    if (set !== undefined && spec !== undefined) {
      spec.template = withoutHash(set.spec?.template ?? {});
      // annotations copied from the deployment at that revision, such as the change cause
      current.metadata.annotations = { ...ownAnnotations(current), ...sharedAnnotations(set) };
    }
    setRollbackTo(current, undefined);
    return current;
  });
}
