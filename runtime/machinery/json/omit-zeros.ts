/** Leaves out members that are zero or undefined, as Go does with numbers that are `omitempty`. */
export function omitZeros<T extends Readonly<Record<string, number | undefined>>>(numbers: T): Partial<T> {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => number)) as Partial<T>;
}
