import type { ResourceRegistry } from '../../../resources/registry.ts';
import type { Names } from '../api-helpers.ts';
import { type GroupNames, NameSet, namesTaken } from './naming.ts';

/** The names that are taken, by group: of built-in resources, and of every definition. */
export class AcceptedNames {
  readonly #groups = new Map<string, GroupNames>();
  readonly #owned = new Map<string, { group: string; names: Names }>();

  constructor(registry: ResourceRegistry) {
    const seen = new Set<string>();
    for (const { facts, stopSignal } of registry.entries()) {
      const key = `${facts.group}/${facts.resource}`;
      if (stopSignal !== undefined || seen.has(key)) continue;
      seen.add(key);
      const names = { ...facts, plural: facts.resource, shortNames: [...facts.shortNames], categories: [] };
      this.#take(facts.group, names);
    }
  }

  of(group: string): GroupNames {
    let names = this.#groups.get(group);
    if (names === undefined) {
      names = { resources: new NameSet(), kinds: new NameSet() };
      this.#groups.set(group, names);
    }
    return names;
  }

  /** A definition has these now, and nothing else. True where it gave one up. */
  own(owner: string, group: string, names: Names): boolean {
    const before = this.#owned.get(owner);
    if (before !== undefined && before.group === group && sameNames(before.names, names)) return false;
    this.release(owner);
    this.#take(group, names);
    this.#owned.set(owner, { group, names });
    return before !== undefined;
  }

  release(owner: string): void {
    const before = this.#owned.get(owner);
    if (before === undefined) return;
    this.#owned.delete(owner);
    const taken = namesTaken(before.names);
    const { resources, kinds } = this.of(before.group);
    resources.release(taken.resources);
    kinds.release(taken.kinds);
  }

  #take(group: string, names: Names): void {
    const taken = namesTaken(names);
    const { resources, kinds } = this.of(group);
    resources.take(taken.resources);
    kinds.take(taken.kinds);
  }
}

function sameNames(a: Names, b: Names): boolean {
  const [left, right] = [namesTaken(a), namesTaken(b)];
  return left.resources.join() === right.resources.join() && left.kinds.join() === right.kinds.join();
}
