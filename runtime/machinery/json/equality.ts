/** Deep equality of JSON-shaped values. Members that are undefined count as absent; their order does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!equalJson(a[index], b[index])) return false;
    return true;
  }
  return !Array.isArray(b) && equalMembers(a as JsonLike, b as JsonLike);
}

type JsonLike = Readonly<Record<string, unknown>>;

function equalMembers(a: JsonLike, b: JsonLike): boolean {
  let unmatched = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false;
    unmatched++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) unmatched--;
  return unmatched === 0;
}
