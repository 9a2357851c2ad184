import { hasKeys } from './field-trees.ts';
import { isRecord } from './kube-object.ts';

/** Returns the value at a path as conflicts name it: `.spec.containers[name="web"].image`. Undefined if it is not there. */
export function valueAt(value: unknown, path: string): unknown {
  const step = stepInto(value, path);
  return step === undefined ? undefined : step.rest === '' ? step.value : valueAt(step.value, step.rest);
}

/** Returns a copy without the value at a path. */
export function without(value: unknown, path: string): unknown {
  const step = stepInto(value, path);
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    if (step.rest === '') return value.filter((_, at) => at !== step.at);
    return value.map((item, at) => (at === step.at ? without(item, step.rest) : item));
  }
  const { [String(step.at)]: inside, ...others } = value as Record<string, unknown>;
  return step.rest === '' ? others : { ...others, [String(step.at)]: without(inside, step.rest) };
}

interface Step {
  readonly at: string | number;
  readonly value: unknown;
  readonly rest: string;
}

const keyed = /^\[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\]/;
const keyAndValue = /([\w./-]*)=("(?:[^"\\]|\\.)*"|[^,\]]+)/g;

/** Takes the first segment of a path. Names of fields may have dots, so they are compared with those that exist. */
function stepInto(value: unknown, path: string): Step | undefined {
  if (path.startsWith('.') && isRecord(value)) {
    const rest = path.slice(1);
    const names = Object.keys(value).filter((name) => rest.startsWith(name) && /^(?:$|[.[])/.test(rest.slice(name.length)));
    const name = names.sort((a, b) => b.length - a.length)[0];
    return name === undefined ? undefined : { at: name, value: value[name], rest: rest.slice(name.length) };
  }
  const found = keyed.exec(path);
  if (found === null || !Array.isArray(value)) return undefined;
  const inside = found[1] ?? '';
  const at = /^\d+$/.test(inside) ? Number(inside) : value.findIndex((item) => isItem(item, inside));
  return at < 0 || at >= value.length ? undefined : { at, value: value[at], rest: path.slice(found[0].length) };
}

function isItem(item: unknown, inside: string): boolean {
  const pairs = [...inside.matchAll(keyAndValue)].map(([, key = '', text = '']) => [key, JSON.parse(text)] as const);
  if (pairs[0]?.[0] === '') return item === pairs[0][1];
  return hasKeys(item, Object.fromEntries(pairs));
}
