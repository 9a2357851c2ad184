import type { ResourceOverlay } from '../model/model.ts';
import type { ShapeFault } from './shapes.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Reports the paths of an overlay that the schema of a custom kind lacks: they would never have a value. */
export function pathFaults(overlay: ResourceOverlay, schema: Schema): ShapeFault[] {
  const { columns = [], selectableFields = {}, scale = {} } = overlay;
  const named: [string, readonly string[]][] = [
    ...columns.flatMap(({ name, path = name.toLowerCase(), custom }, at): [string, readonly string[]][] =>
      custom === undefined ? [[path, ['columns', `${at}`]]] : [],
    ),
    ...Object.entries(selectableFields).flatMap(([label, field]): [string, readonly string[]][] => {
      const path = typeof field === 'string' ? field : 'path' in field ? field.path : undefined;
      return path === undefined ? [] : [[path, ['selectableFields', label]]];
    }),
    ...Object.entries(scale as Readonly<Record<string, string>>).map(([name, path]): [string, readonly string[]] => [
      path,
      ['scale', name],
    ]),
  ];
  return named
    .filter(([path]) => !leadsTo(schema, path.split('.')))
    .map(([path, pointer]) => ({ pointer, message: `the schema has no ${path}` }));
}

/** Reports whether objects of the schema can have a value at the path. Does not look into lists and maps. */
function leadsTo(schema: Schema, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || first === 'metadata') return true;
  const { properties, additionalProperties, 'x-kubernetes-preserve-unknown-fields': isOpen, items } = schema;
  if (/[[\]"']/.test(first) || items !== undefined || isOpen === true || additionalProperties) return true;
  const members = (properties ?? {}) as Readonly<Record<string, Schema>>;
  const member = Object.hasOwn(members, first) ? members[first] : undefined;
  return member !== undefined && leadsTo(member, rest);
}
