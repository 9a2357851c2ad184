import { timeText } from '../../runtime/machinery/scalars/time.ts';
import type { TestObject } from '../support/test-object.ts';
import { type CertificateFacts, certificatePem } from './certificate.ts';
import type { Changes } from './table.ts';

type Step = string | number;

const step = /\.?([^.[\]]+)|\[(\d+)\]|\.?\["([^"]*)"\]/gy;

/** Splits `spec.ports[0].name` into steps. @throws Error for any other text */
export function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (match === null) throw new Error(`not a path: ${path}`);
    const [, name, index, quoted] = match;
    steps.push(index === undefined ? (name ?? quoted) : Number(index));
  }
  return steps;
}

/** Returns a copy of the object with the changes. Missing objects and lists on the path are created. */
export function changed(object: TestObject, ...all: readonly (Changes | undefined)[]): TestObject {
  const result = structuredClone(object);
  const now = Math.floor(Date.now() / 1000);
  for (const changes of all) {
    for (const [path, value] of Object.entries(changes ?? {})) {
      setAt(result, parsePath(path), value === null ? null : expanded(value, now));
    }
  }
  return result;
}

function setAt(object: TestObject, steps: readonly Step[], value: unknown): void {
  let at = object;
  for (const [index, key] of steps.slice(0, -1).entries()) {
    at[key] ??= typeof steps[index + 1] === 'number' ? [] : {};
    at = at[key];
  }
  const last = steps[steps.length - 1];
  if (value === null && Array.isArray(at)) at.splice(Number(last), 1);
  else if (value === null) delete at[last];
  else at[last] = value;
}

/**
 * Returns an expanded copy. `{ $repeat: a, $times: 3 }` is the text aaa, between `$before` and `$after`. For other
 * values it is a list of copies, each with its index in place of `{i}`; with `$key: k{i}` it is an object with them as
 * members. `{ $now: 60 }` is the time in a minute, and `{ $certificates: [...] }` are certificates with these facts.
 *
 * @param now seconds since the epoch
 */
function expanded(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((item) => expanded(item, now));
  if (typeof value !== 'object' || value === null) return value;
  const { $repeat, $times, $key, $before = '', $after = '', $now, $certificates } = value as TestObject;
  if ($now !== undefined) return timeText((now + $now) * 1000);
  if ($certificates !== undefined) return $certificates.map((one: CertificateFacts) => certificatePem(one, now)).join('');
  if (typeof $repeat === 'string' && $key === undefined) return $before + $repeat.repeat($times) + $after;
  if ($repeat === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expanded(member, now)]));
  }
  const text = JSON.stringify(expanded($repeat, now));
  const items = Array.from({ length: $times }, (_, index) => JSON.parse(text.replaceAll('{i}', String(index))));
  if ($key === undefined) return items;
  return Object.fromEntries(items.map((item, index) => [$key.replaceAll('{i}', String(index)), item]));
}

/** Returns the value at a path; undefined if it is absent. */
export function valueAt(object: TestObject, path: string): unknown {
  let at: TestObject | undefined = object;
  for (const key of parsePath(path)) at = at?.[key];
  return at;
}
