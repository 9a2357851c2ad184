/** A field that an apply would change although another manager owns it. (structured-merge-diff merge/conflict.go) */
export interface Conflict {
  readonly manager: string;
  readonly path: readonly string[];
}

/** An apply without force has conflicts. */
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
