/** A difference that the tool reports: `a` is the reference, `b` is this server. */
export interface Difference {
  readonly kind: string;
  readonly op: string;
  readonly seed: number;
  readonly step: number;
  readonly request: string;
  readonly path: string;
  readonly a: string;
  readonly b: string;
}

/** A difference that is intended, or caused by the reference. docs/differences.md gives the reason under this name. */
export interface Cause {
  readonly name: string;
  matches(difference: Difference): boolean;
}

export const causes: readonly Cause[] = [];

/** Differences by cause; those without one under `undefined`. */
export function sortByCause(differences: readonly Difference[]): Map<string | undefined, Difference[]> {
  const sorted = new Map<string | undefined, Difference[]>();
  for (const difference of differences) {
    const name = causes.find((cause) => cause.matches(difference))?.name;
    const same = sorted.get(name);
    if (same === undefined) sorted.set(name, [difference]);
    else same.push(difference);
  }
  return sorted;
}
