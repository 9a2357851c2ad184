import { type KubeObject, unstructuredContent } from '../object.ts';

/** Returns the value at a dotted path, as `spec.replicas`; undefined if a member is missing. */
export function memberAt(object: KubeObject, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Sets the value at a dotted path and creates missing objects. The path must not come from a client. */
export function setMemberAt(object: KubeObject, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let target: Record<string, unknown> = unstructuredContent(object);
  for (const name of names) {
    const next = target[name];
    if (typeof next === 'object' && next !== null) target = next as Record<string, unknown>;
    else {
      const made = {};
      target[name] = made;
      target = made;
    }
  }
  target[last] = value;
}
