import { type FieldTree, isRecord, isSame } from './kube-object.ts';

/** Returns what a tree says of the field of a map. */
export const fieldOf = (tree: FieldTree | undefined, name: string): FieldTree | undefined => tree?.[`f:${name}`];

/** Returns what a tree says of an item of a list. */
export function itemOf(tree: FieldTree | undefined, item: unknown, index: number): FieldTree | undefined {
  if (tree === undefined) return undefined;
  for (const [path, child] of Object.entries(tree)) {
    if (path === `i:${index}`) return child;
    if (path.startsWith('k:') && hasKeys(item, JSON.parse(path.slice(2)))) return child;
    if (path.startsWith('v:') && isSame(JSON.parse(path.slice(2)), item)) return child;
  }
  return undefined;
}

/** Returns the names of the keys by which a list is merged. Undefined for a list that is replaced as a whole. */
export function listKeys(trees: readonly (FieldTree | undefined)[]): readonly string[] | undefined {
  for (const tree of trees) {
    const path = Object.keys(tree ?? {}).find((each) => each.startsWith('k:'));
    if (path !== undefined) return Object.keys(JSON.parse(path.slice(2)));
  }
  return undefined;
}

/** Reports whether a tree owns a field as a whole. */
export const isLeaf = (tree: FieldTree | undefined): boolean => tree !== undefined && Object.keys(tree).length === 0;

/** Reports whether an item of a list has these keys. */
export const hasKeys = (item: unknown, keys: Readonly<Record<string, unknown>>): boolean =>
  isRecord(item) && Object.entries(keys).every(([name, value]) => isSame(item[name], value));
