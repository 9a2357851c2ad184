import { quote } from '../../../machinery/go/quote.ts';
import { type Condition, type CustomResourceDefinition, findCRDCondition, type Names } from '../api-helpers.ts';

/** Names of one group that are taken, with how often: one definition may use a name twice. */
export class NameSet {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  take(names: readonly string[]): void {
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  release(names: readonly string[]): void {
    for (const name of names) {
      const left = (this.#counts.get(name) ?? 0) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}

export interface GroupNames {
  /** Plurals, singulars and short names. */
  readonly resources: NameSet;
  /** Kinds and list kinds. */
  readonly kinds: NameSet;
}

export interface NamingResult {
  readonly acceptedNames: Names;
  readonly namesAccepted: Condition;
  readonly established: Condition;
}

export const noNames: Names = { plural: '', kind: '' };

/**
 * Which of the names that a definition asks for it gets: those that are its own already, and those that nobody of its
 * group has. (pkg/controller/status/naming_controller.go calculateNamesAndConditions)
 */
export function calculateNamesAndConditions(crd: CustomResourceDefinition, taken: GroupNames): NamingResult {
  const wanted = crd.spec.names;
  const own = crd.status?.acceptedNames ?? noNames;
  const acceptedNames: Names = { ...own };
  let problem: { reason: string; message: string } | undefined;
  const judge = (field: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, names: NameSet): void => {
    const name = wanted[field] ?? '';
    if (name !== (own[field] ?? '') && names.has(name)) problem = { reason, message: inUse(name) };
    else acceptedNames[field] = name;
  };
  judge('plural', 'PluralConflict', taken.resources);
  judge('singular', 'SingularConflict', taken.resources);
  const shortNames = wanted.shortNames ?? [];
  const ownShortNames = new Set(own.shortNames);
  const conflicts = shortNames.filter((name) => !ownShortNames.has(name) && taken.resources.has(name));
  if (conflicts.length > 0) {
    const texts = conflicts.map(inUse);
    problem = { reason: 'ShortNamesConflict', message: texts.length === 1 ? texts[0] : `[${texts.join(', ')}]` };
  } else if (shortNames.length > 0) acceptedNames.shortNames = [...shortNames];
  else delete acceptedNames.shortNames;
  judge('kind', 'KindConflict', taken.kinds);
  judge('listKind', 'ListKindConflict', taken.kinds);
  if (wanted.categories?.length) acceptedNames.categories = [...wanted.categories];
  else delete acceptedNames.categories;
  const namesAccepted: Condition =
    problem === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...(problem as { reason: string; message: string }) };
  return {
    acceptedNames: inOrder(acceptedNames),
    namesAccepted,
    established: establishedOf(crd, problem === undefined),
  };
}

/** In the order of Go's struct, without what is empty. */
function inOrder({ plural, singular, shortNames, kind, listKind, categories }: Names): Names {
  return {
    plural,
    ...(singular ? { singular } : {}),
    ...(shortNames?.length ? { shortNames } : {}),
    kind,
    ...(listKind ? { listKind } : {}),
    ...(categories?.length ? { categories } : {}),
  };
}

export function equalNames(a: Names = noNames, b: Names = noNames): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

const inUse = (name: string): string => `${quote(name)} is already in use`;

/** Once established, always: names that are lost later do not take the resource away. (pkg/controller/establish) */
function establishedOf(crd: CustomResourceDefinition, accepted: boolean): Condition {
  const old = findCRDCondition(crd, 'Established');
  if (old?.status === 'True') return old;
  if (accepted) {
    return {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    };
  }
  return old ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** What accepted names take of their group. */
export function namesTaken({ plural, singular = '', shortNames = [], kind, listKind = '' }: Names): {
  resources: string[];
  kinds: string[];
} {
  return { resources: [plural, singular, ...shortNames].filter(Boolean), kinds: [kind, listKind].filter(Boolean) };
}
