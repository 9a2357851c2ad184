/** A place where two values differ. Undefined stands for an absent member. */
export interface Difference {
  readonly path: string;
  readonly reference: unknown;
  readonly own: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns every difference between two JSON values. The order of members does not matter. */
export function differencesBetween(reference: unknown, own: unknown, path = ''): Difference[] {
  if (reference === own) return [];
  if (!isObject(reference) || !isObject(own) || Array.isArray(reference) !== Array.isArray(own)) {
    return [{ path, reference, own }];
  }
  const keys = new Set([...Object.keys(reference), ...Object.keys(own)]);
  return [...keys].flatMap((key) =>
    differencesBetween(reference[key], own[key], Array.isArray(own) ? `${path}[${key}]` : `${path}.${key}`),
  );
}

const chosen: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'lastTransitionTime', 'time']);

/**
 * Returns a copy without the values that each server chooses: identities, times, the order of conditions, and the
 * reference's records of its own writes.
 */
export function normalized(value: unknown): unknown {
  return copy(value, (key, inner) => {
    if (chosen.has(key) && typeof inner === 'string') return undefined;
    if (key === 'conditions' && Array.isArray(inner)) return [...inner].sort((a, b) => (a.type < b.type ? -1 : 1));
    if (key === 'managedFields' && Array.isArray(inner)) return inner.filter(({ manager }) => manager !== 'refserver');
    return inner;
  });
}

/** Returns a copy of a schema without descriptions. */
export function withoutProse(value: unknown): unknown {
  return copy(value, (key, inner) => (key === 'description' && typeof inner === 'string' ? undefined : inner));
}

/** Returns a deep copy with changed members. Undefined members are omitted. */
function copy(value: unknown, change: (key: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, change));
  if (!isObject(value)) return value;
  const changed = Object.entries(value).map(([key, inner]) => [key, change(key, inner)] as const);
  return Object.fromEntries(changed.filter(([, inner]) => inner !== undefined).map(([key, inner]) => [key, copy(inner, change)]));
}
