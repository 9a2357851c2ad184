export interface ModelKey {
  readonly namespace: string;
  readonly name: string;
}

/** A model object: its identity, and the selectable fields. */
export interface ModelObject extends ModelKey {
  /** A label. */
  readonly color: string;
  /** A field. */
  readonly shape: string;
  /** Distinguishes writes. */
  readonly mark: number;
  readonly revision: number;
}

export interface ModelFilter {
  readonly namespace?: string;
  readonly name?: string;
  readonly color?: string;
  readonly shape?: string;
}

export interface ModelEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: ModelObject;
}

interface ModelChange extends ModelKey {
  readonly revision: number;
  /** Absent for a deletion. */
  readonly current?: ModelObject;
}

/** The simplest store: a list of changes, read from its start every time. */
export class StoreModel {
  readonly #changes: ModelChange[] = [];

  /** Adds an acknowledged write. Writes arrive in roughly their order. */
  note(revision: number, { namespace, name }: ModelKey, current?: ModelObject): void {
    let at = this.#changes.length;
    while (at > 0 && this.#changes[at - 1].revision > revision) at -= 1;
    this.#changes.splice(at, 0, { revision, namespace, name, ...(current ? { current } : {}) });
  }

  /** Returns the objects in key order. */
  at(revision: number, filter: ModelFilter = {}): ModelObject[] {
    const objects = new Map<string, ModelObject>();
    for (const { revision: changed, namespace, name, current } of this.#changes) {
      if (changed > revision) break;
      if (current === undefined) objects.delete(`${namespace}/${name}`);
      else objects.set(`${namespace}/${name}`, current);
    }
    return [...objects]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object)
      .filter((object) => isSelected(object, filter));
  }

  /** Returns a watcher's events between two revisions. */
  events(after: number, upTo: number, filter: ModelFilter = {}): ModelEvent[] {
    const events: ModelEvent[] = [];
    const objects = new Map<string, ModelObject>();
    for (const { revision, namespace, name, current } of this.#changes) {
      if (revision > upTo) break;
      const key = `${namespace}/${name}`;
      const previous = objects.get(key);
      if (current === undefined) objects.delete(key);
      else objects.set(key, current);
      if (revision <= after) continue;
      const isIn = current !== undefined && isSelected(current, filter);
      const wasIn = previous !== undefined && isSelected(previous, filter);
      if (isIn) events.push({ type: wasIn ? 'MODIFIED' : 'ADDED', revision, object: current });
      else if (wasIn) events.push({ type: 'DELETED', revision, object: { ...previous, revision } });
    }
    return events;
  }
}

function isSelected(object: ModelObject, { namespace, name, color, shape }: ModelFilter): boolean {
  return (
    (namespace === undefined || object.namespace === namespace) &&
    (name === undefined || object.name === name) &&
    (color === undefined || object.color === color) &&
    (shape === undefined || object.shape === shape)
  );
}
