import { isJsonObject, memberOf } from '../../../../machinery/json/values.ts';
import type { Json } from '../../../../machinery/object.ts';
import type { MergeSchema } from '../../../../machinery/schema/merge-schema.ts';
import { resolveAtom } from '../../../../patch/typed/atom.ts';

/**
 * Returns the paths of atomic lists and maps in an apply configuration. They are not allowed, because setting one
 * member would remove the others. (policy/mutating/patch findAtomics)
 */
export function findAtomics(value: Json, schema: MergeSchema, path = ''): string[] {
  const atom = resolveAtom(schema, value);
  if (atom.kind === 'list' && Array.isArray(value)) {
    const items = atom.items();
    const inside = value.flatMap((item, at) => findAtomics(item, items, `${path}[${at}]`));
    return atom.listType === 'atomic' ? [path, ...inside] : inside;
  }
  if ((atom.kind !== 'map' && atom.kind !== 'struct') || !isJsonObject(value)) return [];
  const own = atom.mapType === 'atomic' ? [path] : [];
  if (atom.kind === 'map') return own;
  const { fields } = atom;
  const inside = Object.entries(value).flatMap(([name, member]) => {
    const schema = memberOf(fields, name)?.();
    return schema ? findAtomics(member, schema, `${path}.${name}`) : [];
  });
  return [...own, ...inside];
}
