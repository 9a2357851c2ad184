import type { CustomResourceDefinitionNames } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { ResourceRegistry } from '../../../resources/registry.ts';

/** Names with a count for each, because one definition may use a name twice. */
export class NameSet {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  add(names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  delete(names: readonly string[]): void {
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) - 1;
      if (count > 0) this.#counts.set(name, count);
      else this.#counts.delete(name);
    }
  }
}

/** The names in use in one group. */
export interface GroupNames {
  /** Plurals, singulars and short names. */
  readonly resources: NameSet;
  /** Kinds and list kinds. */
  readonly kinds: NameSet;
}

type Names = CustomResourceDefinitionNames;

/**
 * The names of built-in resources, and the accepted names of definitions, by group. (naming_controller.go
 * getAcceptedNamesForGroup)
 */
export class AcceptedNames {
  readonly #registry: ResourceRegistry;
  /** The groups that were read so far. */
  readonly #groups = new Map<string, GroupNames>();
  readonly #definitions = new Map<string, { group: string; names: Names }>();

  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
  }

  forGroup(group: string): GroupNames {
    let names = this.#groups.get(group);
    if (names === undefined) {
      names = { resources: new NameSet(), kinds: new NameSet() };
      this.#groups.set(group, names);
      this.#addBuiltin(group);
    }
    return names;
  }

  #addBuiltin(group: string): void {
    const seen = new Set<string>();
    for (const { facts, stopSignal } of this.#registry.entries()) {
      if (facts.group !== group || stopSignal !== undefined || seen.has(facts.resource)) continue;
      seen.add(facts.resource);
      const { resource: plural, singular, shortNames, kind, listKind } = facts;
      this.#add(group, { plural, singular, shortNames: [...shortNames], kind, listKind });
    }
  }

  /** Gives a definition these names and no others. Returns true if it loses a name. */
  set(definition: string, group: string, names: Names): boolean {
    const before = this.#definitions.get(definition);
    if (before !== undefined && before.group === group && areSame(before.names, names)) return false;
    this.delete(definition);
    this.#add(group, names);
    this.#definitions.set(definition, { group, names });
    return before !== undefined;
  }

  delete(definition: string): void {
    const before = this.#definitions.get(definition);
    if (before === undefined) return;
    this.#definitions.delete(definition);
    const { resources, kinds } = this.forGroup(before.group);
    resources.delete(resourceNames(before.names));
    kinds.delete(kindNames(before.names));
  }

  #add(group: string, names: Names): void {
    const { resources, kinds } = this.forGroup(group);
    resources.add(resourceNames(names));
    kinds.add(kindNames(names));
  }
}

const resourceNames = ({ plural, singular = '', shortNames = [] }: Names): string[] => [plural, singular, ...shortNames].filter(Boolean);

const kindNames = ({ kind, listKind = '' }: Names): string[] => [kind, listKind].filter(Boolean);

function areSame(a: Names, b: Names): boolean {
  return resourceNames(a).join() === resourceNames(b).join() && kindNames(a).join() === kindNames(b).join();
}
