import type { ControllerRevision, StatefulSet } from '../../../generated/v1.35/apps/v1/types.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { type JsonObject, unstructuredContent } from '../../machinery/object.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { applyStrategicMergePatch } from '../../patch/strategic-merge/apply.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import type { ControllerHistory } from '../history/controller-history.ts';
import { equalRevision, type NewRevision, newControllerRevision, nextRevision, templatePatch } from '../history/controller-revision.ts';
import { setReference } from './stateful-set-utils.ts';

export interface StatefulSetRevisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/** The revisions of stateful sets. (pkg/controller/statefulset) */
export class StatefulSetRevisionControl {
  readonly #history: ControllerHistory;
  readonly #definition: ResourceDefinition;

  /** @param definition of stateful sets */
  constructor(history: ControllerHistory, definition: ResourceDefinition) {
    this.#history = history;
    this.#definition = definition;
  }

  /**
   * Returns the current and the update revision of the set. Creates the update revision, or renumbers an earlier one
   * that the set returns to. (getStatefulSetRevisions)
   *
   * @param revisions sorted
   */
  async revisionsOf(set: StatefulSet, revisions: readonly ControllerRevision[]): Promise<StatefulSetRevisions> {
    const { collisionCount: known = 0, currentRevision } = set.status ?? {};
    const { revision: update, collisionCount } = await this.#updateRevision(set, revisions, known);
    const current = revisions.find(({ metadata }) => metadata.name === currentRevision) ?? update;
    return { current, update, collisionCount };
  }

  async #updateRevision(
    set: StatefulSet,
    revisions: readonly ControllerRevision[],
    collisionCount: number,
  ): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
    const latest = revisions.at(-1);
    const data = templatePatch(set.spec?.template);
    const equal = revisions.findLast((revision) => equalRevision({ data }, revision));
    if (latest !== undefined && equal !== undefined && equalRevision(latest, equal)) return { revision: latest, collisionCount };
    if (equal !== undefined) return { revision: await this.#history.renumber(equal, nextRevision(revisions)), collisionCount };
    if (latest !== undefined && this.#matchesLatest(set, data, latest)) return { revision: latest, collisionCount };
    return this.#history.create(set, newRevision(set, data, nextRevision(revisions), collisionCount), collisionCount);
  }

  /**
   * Reports whether the latest revision restores the same template, with current defaults.
   * (setMatchesLatestExistingRevision)
   */
  #matchesLatest(set: StatefulSet, data: JsonObject, latest: ControllerRevision): boolean {
    try {
      const restored = this.applyRevision(set, latest);
      this.#definition.type.setDefaults(restored);
      return equalJson(templatePatch(restored.spec?.template), data);
    } catch {
      return false;
    }
  }

  /** Returns the set with the template of a revision. @throws Error if the revision is no patch of a set */
  applyRevision(set: StatefulSet, { data }: ControllerRevision): StatefulSet {
    if (equalJson(data, templatePatch(set.spec?.template))) return set;
    const { type } = this.#definition;
    const patched = applyStrategicMergePatch(unstructuredContent({ ...set }), data ?? {}, type.merge);
    return type.prune(structuredClone(patched), new PruneContext()) as StatefulSet;
  }

  /**
   * Deletes the oldest revisions above the limit, except the revisions of the set and its pods. (truncateHistory)
   *
   * @param revisions sorted
   * @param live names of the revisions in use
   */
  async truncate(set: StatefulSet, revisions: readonly ControllerRevision[], live: ReadonlySet<string>): Promise<void> {
    const { revisionHistoryLimit: limit = 10 } = set.spec ?? {};
    if (limit < 0 || revisions.length <= limit) return;
    const historic = revisions.filter(({ metadata }) => !live.has(metadata.name ?? ''));
    for (const revision of historic.slice(0, Math.max(0, historic.length - limit))) await this.#history.delete(revision);
  }
}

const newRevision = (set: StatefulSet, data: JsonObject, revision: number, collisionCount: number): NewRevision =>
  newControllerRevision({
    parent: set.metadata.name ?? '',
    controllerRef: newControllerRef(set, setReference),
    labels: set.spec?.template.metadata?.labels,
    annotations: set.metadata.annotations ?? {},
    data,
    revision,
    collisionCount,
  });
