import type { ControllerRevision, DaemonSet } from '../../../generated/v1.35/apps/v1/types.ts';
import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { equalJson, stableText } from '../../machinery/json/equality.ts';
import { parseRawJson } from '../../machinery/json/raw-json.ts';
import type { JsonObject } from '../../machinery/object.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { computeHash } from '../compute-hash.ts';
import { newControllerRef } from '../controller-ref-manager.ts';
import type { ControllerHistory } from '../history/controller-history.ts';
import { templatePatch } from '../history/controller-revision.ts';
import { hashLabel, setReference } from './daemon-set-util.ts';

export interface DaemonHistory {
  readonly current: ControllerRevision;
  readonly old: readonly ControllerRevision[];
}

export interface DaemonSetHistoryOptions {
  readonly history: ControllerHistory;
  readonly daemonSets: LoopbackClient<DaemonSet>;
  readonly pods: LoopbackClient<Pod>;
}

/** The revisions of daemon sets. (pkg/controller/daemon/update.go) */
export class DaemonSetHistory {
  readonly #options: DaemonSetHistoryOptions;

  constructor(options: DaemonSetHistoryOptions) {
    this.#options = options;
  }

  /**
   * Returns the current revision of the daemon set, and creates it if it is missing. (constructHistory)
   *
   * @param pods the pods of the daemon set; of duplicate revisions one stays, and the pods get its label
   * @throws StatusError 409 if the revision's name is taken, after the collision count has been incremented
   */
  async construct(daemonSet: DaemonSet, revisions: readonly ControllerRevision[], pods: readonly Pod[]): Promise<DaemonHistory> {
    const data = templatePatch(daemonSet.spec?.template);
    const labelled = await Promise.all(revisions.map((revision) => this.#withLabel(revision)));
    const old = labelled.filter((revision) => !equalJson(revision.data, data));
    const equal = labelled.filter((revision) => equalJson(revision.data, data));
    const number = old.reduce((highest, { revision }) => Math.max(highest, revision), 0) + 1;
    if (equal.length === 0) return { current: await this.#snapshot(daemonSet, data, number), old };
    const current = await this.#deduplicate(equal, pods);
    return {
      current: current.revision < number ? await this.#options.history.renumber(current, number) : current,
      old,
    };
  }

  /** Deletes the oldest unused revisions above the limit. (cleanupHistory) */
  async cleanup({ spec }: DaemonSet, old: readonly ControllerRevision[], pods: Iterable<Pod>): Promise<void> {
    let surplus = old.length - (spec?.revisionHistoryLimit ?? 10);
    if (surplus <= 0) return;
    const live = new Set<string | undefined>();
    for (const { metadata } of pods) live.add(metadata.labels?.[hashLabel]);
    for (const revision of [...old].sort((a, b) => a.revision - b.revision)) {
      if (surplus <= 0) return;
      if (live.has(revision.metadata.labels?.[hashLabel])) continue;
      await this.#options.history.delete(revision);
      surplus--;
    }
  }

  async #withLabel(revision: ControllerRevision): Promise<ControllerRevision> {
    const { namespace = '', name = '', labels } = revision.metadata;
    if (labels?.[hashLabel] !== undefined) return revision;
    return this.#options.history.client.change({ namespace, name }, (current) => {
      current.metadata.labels = { ...current.metadata.labels, [hashLabel]: name };
      return current;
    });
  }

  /** (dedupCurHistories) */
  async #deduplicate(equal: readonly ControllerRevision[], pods: readonly Pod[]): Promise<ControllerRevision> {
    const kept = equal.reduce((highest, revision) => (revision.revision >= highest.revision ? revision : highest));
    if (equal.length === 1) return kept;
    const hash = kept.metadata.labels?.[hashLabel] ?? '';
    for (const { metadata } of pods) {
      const { namespace = '', name = '', labels } = metadata;
      if (labels?.[hashLabel] === hash) continue;
      await this.#options.pods.change({ namespace, name }, (current) => {
        current.metadata.labels = { ...current.metadata.labels, [hashLabel]: hash };
        return current;
      });
    }
    for (const revision of equal) if (revision !== kept) await this.#options.history.delete(revision);
    return kept;
  }

  async #snapshot(daemonSet: DaemonSet, data: JsonObject, revision: number): Promise<ControllerRevision> {
    const { namespace = '', name: parent = '', annotations } = daemonSet.metadata;
    const template = daemonSet.spec?.template ?? {};
    const hash = computeHash(template, daemonSet.status?.collisionCount);
    const name = `${parent}-${hash}`;
    const metadata = {
      name,
      namespace,
      ...(annotations && { annotations: { ...annotations } }),
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ownerReferences: [newControllerRef(daemonSet, setReference)],
    };
    try {
      // with sorted members, as upstream
      const sorted = parseRawJson(Buffer.from(stableText(data))) as JsonObject;
      return await this.#options.history.client.create({ metadata, data: sorted, revision });
    } catch (error) {
      if (!isStatusError(error) || error.status.reason !== 'AlreadyExists') throw error;
      const existing = this.#options.history.client.get(namespace, name);
      if (existing !== undefined && equalJson(existing.data, data)) return existing;
      await this.#countCollision(daemonSet);
      throw error;
    }
  }

  async #countCollision({ metadata: { namespace = '', name = '' }, status }: DaemonSet): Promise<void> {
    const counted = status?.collisionCount;
    await this.#options.daemonSets.change(
      { namespace, name },
      (current) => {
        const { collisionCount } = current.status ?? {};
        if (collisionCount !== counted)
          throw new Error(
            `found a stale collision count (${counted}, expected ${collisionCount}) of DaemonSet ${quote(name)} while processing; will retry until it is updated`,
          );
        const none = { desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
        return { ...current, status: { ...none, ...current.status, collisionCount: (collisionCount ?? 0) + 1 } };
      },
      'status',
    );
  }
}
