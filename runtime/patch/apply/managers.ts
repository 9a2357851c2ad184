import type { FieldSet } from '../field-set/field-set.ts';

/** What one manager owns, in paths of one version. (structured-merge-diff fieldpath/managers.go) */
export interface VersionedSet {
  readonly set: FieldSet;
  /** As `apps/v1`. */
  readonly apiVersion: string;
  /** By server-side apply, not by an update. */
  readonly applied: boolean;
}

/** By manager. */
export type Managers = Map<string, VersionedSet>;

/** One field that somebody else owns and that would change. */
export interface Conflict {
  readonly manager: string;
  readonly path: readonly string[];
}

/** An apply that would take fields from others, and does not force it. */
export class ConflictError extends Error {
  readonly isConflictError = true;
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts`);
    this.conflicts = conflicts;
  }
}

export function isConflictError(error: unknown): error is ConflictError {
  return typeof error === 'object' && error !== null && (error as ConflictError).isConflictError === true;
}
