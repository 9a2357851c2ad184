/** What an object is to the model: who it is, and the label its watchers select by. */
export interface ModelObject {
  readonly namespace: string;
  readonly name: string;
  readonly color: string;
  /** A field that its watchers select by. */
  readonly shape: string;
  /** Tells one write from another. */
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

interface ModelChange {
  readonly revision: number;
  readonly current?: ModelObject;
  readonly previous?: ModelObject;
}

/** The store as plainly as it can be said: a list of changes, read from its beginning every time. */
export class StoreModel {
  readonly #changes: ModelChange[] = [];

  /** Called with acknowledged writes in about their order. */
  note(change: ModelChange): void {
    let at = this.#changes.length;
    while (at > 0 && this.#changes[at - 1].revision > change.revision) at -= 1;
    this.#changes.splice(at, 0, change);
  }

  at(revision: number): ModelObject[] {
    const objects = new Map<string, ModelObject>();
    for (const change of this.#changes) {
      if (change.revision > revision) break;
      const { namespace, name } = (change.current ?? change.previous) as ModelObject;
      const key = `${namespace}/${name}`;
      if (change.current === undefined) objects.delete(key);
      else objects.set(key, change.current);
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  events(after: number, upTo: number, filter: ModelFilter): ModelEvent[] {
    const events: ModelEvent[] = [];
    for (const { revision, current, previous } of this.#changes) {
      if (revision <= after) continue;
      if (revision > upTo) break;
      const isIn = current !== undefined && isSelected(current, filter);
      const wasIn = previous !== undefined && isSelected(previous, filter);
      if (isIn) events.push({ type: wasIn ? 'MODIFIED' : 'ADDED', revision, object: current });
      else if (wasIn) events.push({ type: 'DELETED', revision, object: { ...previous, revision } });
    }
    return events;
  }
}

export function isSelected(object: ModelObject, { namespace, name, color, shape }: ModelFilter): boolean {
  return (
    (namespace === undefined || object.namespace === namespace) &&
    (name === undefined || object.name === name) &&
    (color === undefined || object.color === color) &&
    (shape === undefined || object.shape === shape)
  );
}
