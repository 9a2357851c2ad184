import type { FieldModel, TypeId } from '../model/model.ts';
import type { GoName, GoTypes } from './field-facts.ts';
import type { Schema } from './openapi.ts';
import type { ProtoIndex, ProtoMessage } from './protos.ts';
import type { ProtoRefs } from './type-refs.ts';

/** What the documents say about one type. It has a schema, a message or both. */
export interface TypeSources {
  readonly id: TypeId;
  readonly schema?: Schema;
  readonly message?: ProtoMessage;
  /** The Go name under which the facts have the type. */
  readonly goName?: GoName;
}

/** What the readers of fields look things up in. */
export interface FieldTools {
  readonly go: GoTypes;
  readonly protos: ProtoIndex;
  readonly refs: ProtoRefs;
  /** Names the type of an object whose schema stands inside a property. */
  readonly nameInline: (owner: TypeId, field: string, schema: Schema) => TypeId;
  /** Records the schema that stands inside a property for a type that its message names. */
  readonly addInline: (id: TypeId, schema: Schema) => void;
}

export interface ReadFields {
  readonly fields: readonly FieldModel[];
  readonly inlined: readonly { readonly id: TypeId; readonly protoNumber: number }[];
  /** The numbers of the type's own message that a field, an inlined struct or a field without JSON has. */
  readonly numbers: ReadonlySet<number>;
}

/** The schema of kind and apiVersion, which many documents leave out. */
export const typeMetaSchema: Schema = { type: 'string' };

/** How lists and maps merge: from the extensions of the property, or from the markers if there is none. */
export function mergeFacts(property: Schema | undefined, markers: readonly string[]): Partial<FieldModel> {
  const after = (prefix: string): string[] =>
    markers.filter((marker) => marker.startsWith(prefix)).map((marker) => marker.slice(prefix.length));
  const listType = property ? property['x-kubernetes-list-type'] : after('+listType=')[0];
  const keys = property ? property['x-kubernetes-list-map-keys'] : after('+listMapKey=');
  const mapType = property ? property['x-kubernetes-map-type'] : (after('+mapType=')[0] ?? after('+structType=')[0]);
  return {
    ...(listType ? { listType: listType as FieldModel['listType'] } : {}),
    ...(keys && keys.length > 0 ? { listMapKeys: keys } : {}),
    ...(mapType ? { mapType: mapType as FieldModel['mapType'] } : {}),
  };
}
