/** Says whether the object at a path may lose its description: all may but responses, where OpenAPI wants one. */
type Visit = (pointer: readonly string[], text: string) => void;

/**
 * A document without prose: the descriptions, titles and examples of schemas, parameters, operations and security
 * schemes. Properties that are called `description` are no prose, and neither are the few words of responses. `found`
 * hears of every text dropped, with its JSON pointer's parts.
 */
export function dropProse<T>(document: T, found?: Visit): T {
  return strip(document, [], found) as T;
}

const proseKeys = new Set(['description', 'title', 'example', 'externalDocs', 'summary']);
/** Objects whose keys are names, not keywords. */
const nameMaps = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'definitions',
  'paths',
  'responses',
  'content',
  'securitySchemes',
]);
/** Values that are data. */
const dataKeys = new Set(['default', 'enum', 'x-kubernetes-group-version-kind']);

function strip(value: unknown, pointer: readonly string[], found: Visit | undefined): unknown {
  if (Array.isArray(value)) return value.map((item, index) => strip(item, [...pointer, `${index}`], found));
  if (typeof value !== 'object' || value === null) return value;
  const named = isNameMap(pointer);
  const inResponse = pointer.at(-2) === 'responses' && pointer.at(-3) !== 'properties';
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const isProse = !named && proseKeys.has(key) && !inResponse && pointer.at(-1) !== 'info';
    if (isProse) {
      if (typeof item === 'string') found?.([...pointer, key], item);
      return [];
    }
    return [[key, !named && dataKeys.has(key) ? item : strip(item, [...pointer, key], found)]];
  });
  return Object.fromEntries(entries);
}

/** A map of names, unless it is itself a name: a property called `properties` holds a schema. */
function isNameMap(pointer: readonly string[]): boolean {
  let named = false;
  for (const part of pointer) named = !named && nameMaps.has(part);
  return named;
}
