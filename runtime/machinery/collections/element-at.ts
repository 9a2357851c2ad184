/**
 * Returns the element at an index that is known to be within the list.
 *
 * @throws RangeError if it is not
 */
export function elementAt<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}
