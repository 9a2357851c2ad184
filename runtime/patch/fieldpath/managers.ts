import type { FieldSet } from './field-set.ts';

/** The fields that one manager owns, as paths of one version. (structured-merge-diff fieldpath/managers.go) */
export interface VersionedSet {
  readonly set: FieldSet;
  /** For example `apps/v1`. */
  readonly apiVersion: string;
  /** Whether server-side apply owns the fields, rather than updates. */
  readonly applied: boolean;
}

/** The fields of all managers. (fieldpath.ManagedFields) */
export type ManagedFields = Map<string, VersionedSet>;
