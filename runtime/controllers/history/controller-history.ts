import type { ControllerRevision } from '../../../generated/v1.35/apps/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { stableText } from '../../machinery/json/equality.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { objectKeyOf } from '../../machinery/object-key.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { byController, orphansOf } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { Writer } from '../../resources/rest.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { controllerRevisionName, equalRevision, hashControllerRevision, type NewRevision } from './controller-revision.ts';

const resource = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };

/** The ControllerRevisions of a controller's objects. (pkg/controller/history Interface) */
export class ControllerHistory {
  readonly revisions: SharedInformer<ControllerRevision>;
  readonly client: LoopbackClient<ControllerRevision>;

  private constructor(revisions: SharedInformer<ControllerRevision>, client: LoopbackClient<ControllerRevision>) {
    this.revisions = revisions;
    this.client = client;
  }

  static async open({ informers, stores }: WorkloadContext, writer: Writer): Promise<ControllerHistory> {
    const revisions = await informers.of<ControllerRevision>(resource);
    return new ControllerHistory(revisions, await LoopbackClient.open<ControllerRevision>(stores, resource, writer));
  }

  /** Yields the revisions of a parent, and orphans in its namespace, with matching labels. (ListControllerRevisions) */
  *list({ metadata: { namespace = '', uid = '' } }: KubeObject, selector: LabelSelector): Iterable<ControllerRevision> {
    for (const revision of this.candidates(namespace, uid)) if (selector.matches(revision.metadata.labels)) yield revision;
  }

  /** Yields the revisions of a parent, and orphans in its namespace. */
  *candidates(namespace: string, uid: string): Iterable<ControllerRevision> {
    const owners = this.revisions.index(byController);
    yield* owners.of(uid);
    yield* owners.of(orphansOf(namespace));
  }

  /**
   * Creates a revision. If its name is taken by another one, increments the collision count and changes the name.
   * (CreateControllerRevision)
   *
   * @returns the created or existing equal revision, and the collision count in its name
   */
  async create(
    parent: KubeObject,
    revision: NewRevision,
    collisionCount: number,
  ): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
    const { namespace = '', name = '' } = parent.metadata;
    const text = stableText(revision.data);
    for (let count = collisionCount; ; count++) {
      const revisionName = controllerRevisionName(name, hashControllerRevision(text, count));
      const metadata = { ...revision.metadata, namespace, name: revisionName };
      try {
        return { revision: await this.client.create({ ...revision, metadata }), collisionCount: count };
      } catch (error) {
        if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') throw error;
        const existing = this.client.get(namespace, revisionName);
        if (existing === undefined) throw error;
        if (equalRevision(revision, existing)) return { revision: existing, collisionCount: count };
      }
    }
  }

  /** Changes the number of a revision. (UpdateControllerRevision) */
  async renumber(revision: ControllerRevision, number: number): Promise<ControllerRevision> {
    return this.client.change(objectKeyOf(revision), (current) => ({ ...current, revision: number }));
  }

  async delete({ metadata: { namespace = '', name = '' } }: ControllerRevision): Promise<void> {
    await this.client.delete(namespace, name);
  }
}
