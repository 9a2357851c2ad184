import type { StructType } from '../checker/declarations.ts';
import { dynType, stringType, structType, type Type } from '../types/type.ts';
import { equal } from '../values/equality.ts';
import { valueType } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';

/** One operation of a JSON patch. (apiserver pkg/cel/mutation JSONPatchVal) */
export class JsonPatchValue {
  readonly tag = 'opaque';
  readonly type = jsonPatchType;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: Value | undefined;

  constructor(fields: ReadonlyMap<string, Value>) {
    const text = (name: string): string => (fields.get(name) as string | undefined) ?? '';
    this.op = text('op');
    this.path = text('path');
    this.from = text('from');
    this.value = fields.get('value');
  }

  equals(other: Value): boolean {
    if (!(other instanceof JsonPatchValue)) return false;
    if (this.op !== other.op || this.path !== other.path || this.from !== other.from) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value) === true;
  }
}

export const jsonPatchType = structType('JSONPatch');

const fields: Readonly<Record<string, Type>> = {
  op: stringType,
  path: stringType,
  from: stringType,
  value: dynType,
};

export const jsonPatchStruct: StructType = {
  type: jsonPatchType,
  field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined),
  create(values) {
    for (const name of ['op', 'path', 'from']) {
      const value = values.get(name);
      if (value === undefined || typeof value === 'string') continue;
      return new CelError(`unexpected type ${valueType(value).name} for JSONPatchType '${name}' field`);
    }
    return new JsonPatchValue(values);
  },
};
