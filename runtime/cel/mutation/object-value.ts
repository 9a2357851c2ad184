import { quote } from '../../machinery/go/quote.ts';
import type { StructType } from '../checker/declarations.ts';
import { dynType, structType, type Type } from '../types/type.ts';
import { equal } from '../values/equality.ts';
import { elements } from '../values/list.ts';
import type { Value } from '../values/value.ts';

/**
 * The value of `Object{...}` and `Object.spec{...}`: an object without a schema. (apiserver pkg/cel/mutation/dynamic)
 */
export class ObjectValue {
  readonly tag = 'opaque';
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    this.type = type;
    this.fields = fields;
  }

  equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name);
      if (theirs === undefined || equal(value, theirs) !== true) return false;
    }
    return true;
  }

  isZero(): boolean {
    return this.fields.size === 0;
  }

  /**
   * Returns the objects inside whose type does not match their place: `Object.spec{template: Object.x{}}`.
   * (CheckTypeNamesMatchFieldPathNames)
   */
  typeProblems(): string[] {
    return typeProblems(this, this.type.name);
  }
}

function typeProblems(value: Value, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  if (value instanceof ObjectValue) {
    const { name } = value.type;
    const own =
      name === path
        ? []
        : [`unexpected type name ${quote(name)}, expected ${quote(path)}, which matches field name path from root Object type`];
    return [...own, ...Array.from(value.fields, ([field, one]) => typeProblems(one, `${path}.${field}`)).flat()];
  }
  // JSON has no objects of these types
  if ('json' in value) return [];
  if (value.tag === 'list') return [...elements(value)].flatMap((item) => typeProblems(item, path));
  if (value.tag === 'map') return [...value.keys()].flatMap((key) => typeProblems(value.find(key) ?? null, path));
  return [];
}

const rootName = 'Object';

/** Returns a type with any field for each name below `Object`. (DynamicTypeResolver) */
export function objectStruct(name: string): StructType | undefined {
  if (name !== rootName && !name.startsWith(`${rootName}.`)) return undefined;
  const type = structType(name);
  return { type, field: () => dynType, create: (fields) => new ObjectValue(type, fields) };
}

/** The type of a whole apply configuration. */
export const objectType = structType(rootName);
