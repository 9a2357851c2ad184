import type { Snapshot as SnapshotObject } from '../../../generated/testing/testing.kubeloom.dev/v1alpha1/types.ts';
import { forbidden } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import type { Snapshot } from '../snapshot/snapshots.ts';
import { requireAvailable } from './available.ts';
import type { CurrentControls } from './test-controls.ts';

/** The name of the server's state when it became ready. No Snapshot has this name. */
export const fresh = 'fresh';

/** The snapshots of Snapshot objects. */
export class SnapshotTable {
  readonly #byName = new Map<string, { readonly uid: string | undefined; readonly snapshot: Snapshot }>();

  /** Returns undefined if no Snapshot has this name. */
  get(name: string): Snapshot | undefined {
    return this.#byName.get(name)?.snapshot;
  }

  keep({ metadata: { name = '', uid } }: SnapshotObject, snapshot: Snapshot): void {
    this.#byName.set(name, { uid, snapshot });
  }

  /** Frees by uid, because a new object may already have the name. */
  free({ metadata: { name = '', uid } }: SnapshotObject): void {
    if (this.#byName.get(name)?.uid === uid) this.#byName.delete(name);
  }
}

/** Creation of a Snapshot takes a snapshot; deletion frees it. */
export const snapshotStrategy = (controls: CurrentControls, kept: SnapshotTable): RESTStrategy => ({
  beginCreate(object: SnapshotObject, { dryRun }) {
    if (dryRun) return undefined;
    const snapshot = requireAvailable(() => controls().snapshot());
    const { revision, objects } = snapshot;
    object.status = { revision, objects };
    return (outcome) => {
      if (outcome === 'written') kept.keep(object, snapshot);
    };
  },
  validateCreate({ metadata }, errors) {
    if (metadata.name !== fresh) return;
    errors.push(forbidden(FieldPath.of('metadata', 'name'), 'is that of the state in which the server became ready'));
  },
  afterDelete: (object: SnapshotObject) => kept.free(object),
});
