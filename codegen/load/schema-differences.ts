type Schema = Readonly<Record<string, unknown>>;

/** Keywords that decide which values a field can hold. Limits, such as lengths, are no difference of shape. */
const shape = ['type', 'format', 'enum', 'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields'] as const;

/**
 * Returns a line for each field in which two versions of a kind differ: `spec.size: string in v1beta1, integer in v1`.
 * Empty if an object of one version is an object of the other.
 *
 * @param versions the names of the two versions
 */
export function schemaDifferences(left: Schema, right: Schema, versions: readonly [string, string]): string[] {
  const found: string[] = [];
  const differ = (path: string, one: string, other: string): void => {
    found.push(`${path}: ${one} in ${versions[0]}, ${other} in ${versions[1]}`);
  };
  const compare = (one: Schema, other: Schema, path: string): void => {
    const isDifferent = shape.some((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
    if (isDifferent) differ(path, shapeText(one), shapeText(other));
    for (const part of ['items', 'additionalProperties']) compareMembers(part, one, other, `${path}[*]`);
    const [mine, theirs] = [objectOf(one.properties) ?? {}, objectOf(other.properties) ?? {}];
    for (const name of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
      if (path === '' && name === 'metadata') continue;
      compareMembers(name, mine, theirs, path === '' ? name : `${path}.${name}`);
    }
  };
  const compareMembers = (name: string, one: Schema, other: Schema, path: string): void => {
    const [mine, theirs] = [one, other].map((each) => (Object.hasOwn(each, name) ? objectOf(each[name]) : undefined));
    if (mine !== undefined && theirs !== undefined) compare(mine, theirs, path);
    else if (mine !== theirs) differ(path, shapeText(mine), shapeText(theirs));
  };
  compare(left, right, '');
  return found;
}

const objectOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;

/** Returns the shape as text: `integer (int32)`, `string (Small, Large)`. */
function shapeText(schema: Schema | undefined): string {
  if (schema === undefined) return 'absent';
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  const { type = 'any', format, enum: values } = schema;
  const notes = [
    ...(format === undefined ? [] : [String(format)]),
    ...(Array.isArray(values) ? [values.map(String).join(', ')] : []),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true ? ['with unknown fields'] : []),
  ];
  return notes.length === 0 ? String(type) : `${type} (${notes.join('; ')})`;
}
