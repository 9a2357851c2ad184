/** Leaves out members that are zero or undefined, as Go does with `omitempty` numbers. */
export function omitZeros<T extends Readonly<Record<string, number | undefined>>>(numbers: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number)) as { [K in keyof T]?: NonNullable<T[K]> };
}
