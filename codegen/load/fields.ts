import type { FieldModel, ListType, MapType, TypeId } from '../model/model.ts';
import type { GoName, GoTypes } from './field-facts.ts';
import type { Schema } from './openapi.ts';
import type { ProtoIndex, ProtoMessage } from './protos.ts';
import type { ProtoRefs } from './type-refs.ts';

/** The sources of one type. It has a schema, a message or both. */
export interface TypeSources {
  readonly id: TypeId;
  readonly schema?: Schema;
  readonly message?: ProtoMessage;
  /** The name of the type in the facts. */
  readonly goName?: GoName;
}

/** The look-ups of field readers. */
export interface FieldTools {
  readonly go: GoTypes;
  readonly protos: ProtoIndex;
  readonly refs: ProtoRefs;
  /** Returns the type id of an object whose schema is inside a property. */
  readonly nameInline: (owner: TypeId, field: string, schema: Schema) => TypeId;
  /** Records the inline schema of a type that a message names. */
  readonly addInline: (id: TypeId, schema: Schema) => void;
}

export interface ReadFields {
  readonly fields: readonly FieldModel[];
  readonly inlined: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  /** The field numbers of the type's own message that a field, an inlined struct, or a field without JSON has taken. */
  readonly numbers: ReadonlySet<number>;
}

/** The schema of kind and apiVersion, for documents without them. */
export const typeMetaSchema: Schema = { type: 'string' };

const listTypes: readonly ListType[] = ['atomic', 'set', 'map'];
const mapTypes: readonly MapType[] = ['granular', 'atomic'];

/** Returns how lists and maps merge: by the property's extensions, or by the markers if there is no property. */
export function mergeFacts(property: Schema | undefined, markers: readonly string[]): Partial<FieldModel> {
  const markedList = listTypes.find((type) => markers.includes(`+listType=${type}`));
  const listType = property ? property['x-kubernetes-list-type'] : markedList;
  const markedKeys = markers.filter((marker) => marker.startsWith('+listMapKey='));
  const keys = property ? property['x-kubernetes-list-map-keys'] : markedKeys.map((marker) => marker.slice('+listMapKey='.length));
  const markedMap = mapTypes.find((type) => markers.includes(`+mapType=${type}`) || markers.includes(`+structType=${type}`));
  const mapType = property ? property['x-kubernetes-map-type'] : markedMap;
  return {
    ...(listType ? { listType } : {}),
    ...(keys && keys.length > 0 ? { listMapKeys: keys } : {}),
    ...(mapType ? { mapType } : {}),
  };
}
