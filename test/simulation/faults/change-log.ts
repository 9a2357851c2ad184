import { expectSame } from '../checks.ts';
import type { Version } from '../linearizability/object-model.ts';

/** A change of the final history: without a version, a deletion. */
export interface LoggedChange {
  readonly name: string;
  readonly revision: number;
  readonly version?: Version;
}

/** All that anybody learned of the changes of a namespace, in the order of revisions. */
export class ChangeLog {
  readonly #changes = new Map<number, LoggedChange>();

  /** @throws if others saw something else at this revision */
  note(change: LoggedChange): void {
    const known = this.#changes.get(change.revision);
    if (known !== undefined) expectSame(change, known, `two changes at revision ${change.revision}`);
    else this.#changes.set(change.revision, change);
  }

  /** The changes in (after, upTo]. */
  between(after: number, upTo: number): LoggedChange[] {
    return [...this.#changes.values()]
      .filter(({ revision }) => revision > after && revision <= upTo)
      .sort((one, other) => one.revision - other.revision);
  }

  /** The versions that anybody saw, by the mark of the write. */
  written(): Map<number, Version> {
    const written = new Map<number, Version>();
    for (const { version } of this.#changes.values()) {
      if (version === undefined) continue;
      const before = written.get(version.writer);
      if (before !== undefined) expectSame(version, before, `the write of ${version.writer} happened twice`);
      written.set(version.writer, version);
    }
    return written;
  }
}
