import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { withoutFloat64 } from '../../machinery/json/float64.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { Prune } from '../../machinery/prune/context.ts';
import { PruneContext } from '../../machinery/prune/context.ts';
import { time, untyped } from '../../machinery/prune/special-types.ts';
import { bool, int64, isEmptyList, isEmptyMap, string } from '../../machinery/prune/values.ts';

type Fields = { [field: string]: unknown };

/** The reader of one field of a struct. A value for which `isZero` is true is left out. */
interface FieldReader {
  readonly goType: string;
  readonly read: Prune<unknown>;
  readonly isZero: (value: unknown) => boolean;
}

const absent = (value: unknown): boolean => value == null;
const never = (): boolean => false;
const text: FieldReader = { goType: 'string', read: string, isZero: (value) => value == null || value === '' };
const requiredText: FieldReader = { goType: 'string', read: string, isZero: never };
/** Reads 5.0 as 5, as upstream writes the metadata as JSON first. (GetObjectMetaWithOptions) */
const integer: Prune<unknown> = (value, context, field, goType) => int64(withoutFloat64(value), context, field, goType);
const optionalBool: FieldReader = { goType: 'bool', read: bool, isZero: absent };
const instant: FieldReader = { goType: 'v1.Time', read: time, isZero: absent };
const strings: FieldReader = {
  goType: 'map[string]string',
  read: (value, context, field, goType) => context.map(value, field, goType, string),
  isZero: isEmptyMap,
};

const listOf = (goType: string, item: Prune<unknown>): FieldReader => ({
  goType,
  read: (value, context, field) => context.list(value, field, goType, item),
  isZero: isEmptyList,
});

/** Returns a prune function for a struct: fields in Go's order, without unknown fields. */
function struct(name: string, fields: Readonly<Record<string, FieldReader>>): Prune<Fields> {
  const known: ReadonlySet<string> = new Set(Object.keys(fields));
  const readers = Object.entries(fields);
  return (value, context, field) => {
    const input = context.enter(value, field, `v1.${name}`);
    const output: Fields = {};
    for (const [member, { goType, read, isZero }] of readers) {
      const given = Object.hasOwn(input, member) ? input[member] : undefined;
      if (isZero(given)) continue;
      const result = read(given, context, member, goType);
      if (result !== null) output[member] = result;
    }
    context.leave(input, known, field);
    return output;
  };
}

const ownerReference = struct('OwnerReference', {
  apiVersion: requiredText,
  kind: requiredText,
  name: requiredText,
  uid: { ...requiredText, goType: 'types.UID' },
  controller: optionalBool,
  blockOwnerDeletion: optionalBool,
});

const managedFieldsEntry = struct('ManagedFieldsEntry', {
  manager: text,
  operation: { ...text, goType: 'v1.ManagedFieldsOperationType' },
  apiVersion: text,
  time: instant,
  fieldsType: text,
  fieldsV1: { goType: 'v1.FieldsV1', read: untyped, isZero: absent },
  subresource: text,
});

const readers: Readonly<Record<string, FieldReader>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: { ...text, goType: 'types.UID' },
  resourceVersion: text,
  generation: { goType: 'int64', read: integer, isZero: (value) => value == null || withoutFloat64(value) === 0 },
  creationTimestamp: instant,
  deletionTimestamp: instant,
  deletionGracePeriodSeconds: { goType: 'int64', read: integer, isZero: absent },
  labels: strings,
  annotations: strings,
  ownerReferences: listOf('[]v1.OwnerReference', ownerReference),
  finalizers: listOf('[]string', string),
  managedFields: listOf('[]v1.ManagedFieldsEntry', managedFieldsEntry),
};

const objectMeta = struct('ObjectMeta', readers);

/**
 * Decodes metadata into ObjectMeta, as Go does. Custom resources have no generated type for it.
 * (pkg/apiserver/schema/objectmeta/coerce.go)
 *
 * @throws DecodeError if a field has the wrong type
 */
export function getObjectMeta(value: unknown, context: PruneContext): ObjectMeta {
  return objectMeta(value, context, '', 'v1.ObjectMeta') as ObjectMeta;
}

/**
 * Reads the metadata of a stored object, without fields of the wrong type. Returns undefined if the value is not an
 * object.
 */
export function getObjectMetaDroppingInvalid(value: unknown): ObjectMeta | undefined {
  try {
    return getObjectMeta(value, new PruneContext());
  } catch (error) {
    if (!isDecodeError(error)) throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const output: Fields = {};
  for (const name of Object.keys(readers)) {
    if (!Object.hasOwn(value, name)) continue;
    try {
      Object.assign(output, getObjectMeta({ [name]: (value as Fields)[name] }, new PruneContext()));
    } catch (error) {
      if (!isDecodeError(error)) throw error;
    }
  }
  return output as ObjectMeta;
}
