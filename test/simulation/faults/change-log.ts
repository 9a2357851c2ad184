import { expectSame } from '../checks.ts';
import type { Version } from '../linearizability/object-model.ts';

/** A change of the final history. A change without a version is a deletion. */
export interface LoggedChange {
  readonly name: string;
  readonly revision: number;
  readonly version?: Version;
}

/** All observed changes of a namespace, in the order of revisions. */
export class ChangeLog {
  readonly #changes = new Map<number, LoggedChange>();

  /** @throws if another client saw a different change at this revision */
  note(change: LoggedChange): void {
    const known = this.#changes.get(change.revision);
    if (known !== undefined) expectSame(change, known, `two changes at revision ${change.revision}`);
    else this.#changes.set(change.revision, change);
  }

  /** Returns the changes in (after, upTo]. */
  between(after: number, upTo: number): LoggedChange[] {
    return [...this.#changes.values()]
      .filter(({ revision }) => revision > after && revision <= upTo)
      .sort((one, other) => one.revision - other.revision);
  }

  /** Returns all observed versions by the mark of their write. */
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
