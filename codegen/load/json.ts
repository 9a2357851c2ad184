export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Rebuilds a JSON value from the leaves up. `change` receives each member of an object, and each element of a list that
 * is a member, with the member's key.
 */
export function mapMembers<T>(value: T, change: (member: unknown, key: string) => unknown): T {
  const rebuild = (member: unknown, key: string): unknown => {
    if (Array.isArray(member)) return member.map((element) => rebuild(element, key));
    return change(isObject(member) ? rebuildMembers(member) : member, key);
  };
  const rebuildMembers = (object: object): object =>
    Object.fromEntries(Object.entries(object).map(([key, member]) => [key, rebuild(member, key)]));
  return (isObject(value) ? rebuildMembers(value) : value) as T;
}
