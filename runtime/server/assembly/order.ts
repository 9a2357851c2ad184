import { neededParts, type Part } from './part.ts';

/**
 * Returns parts in opening order: the order of the list, but each part after its needs. For example, the list `[a, b,
 * c]` where `a` needs `c` opens as `c, a, b`.
 *
 * @throws Error for parts that need each other, and for a need that is not on the list
 */
export function openingOrder(parts: readonly Part<unknown>[]): readonly Part<unknown>[] {
  const listed = new Set(parts);
  const ordered = new Set<Part<unknown>>();
  const visit = (visited: Part<unknown>, path: readonly Part<unknown>[]): void => {
    if (ordered.has(visited)) return;
    if (path.includes(visited)) throw new Error(`parts need each other: ${namesOf([...path, visited])}`);
    for (const { part, isOptional } of neededParts(visited)) {
      if (listed.has(part)) visit(part, [...path, visited]);
      else if (!isOptional) throw new Error(`part "${visited.name}" needs "${part.name}", which is not on the list`);
    }
    ordered.add(visited);
  };
  for (const one of parts) visit(one, []);
  return [...ordered];
}

const namesOf = (parts: readonly Part<unknown>[]): string => parts.map(({ name }) => name).join(' -> ');
