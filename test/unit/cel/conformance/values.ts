import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  paramType,
  plainTypeType,
  stringType,
  type Type,
  timestampType,
  typeOf,
  uintType,
  wrapperOf,
} from '../../../../runtime/cel/types/type.ts';
import { ValueList } from '../../../../runtime/cel/values/list.ts';
import { ValueMap } from '../../../../runtime/cel/values/map.ts';
import { parseDuration, parseTimestamp } from '../../../../runtime/cel/values/time.ts';
import { Bytes, Double, Duration, intValue, TypeValue, Uint, type Value } from '../../../../runtime/cel/values/value.ts';

/** A value or type of the conformance cases: cel.expr.Value and cel.expr.Type in their JSON shape. */
// biome-ignore lint/suspicious/noExplicitAny: the member that is present determines the type
export type Wire = Record<string, any>;

/** Thrown for cases that need protobuf messages. */
export class NeedsMessages extends Error {}

const namedTypes: Readonly<Record<string, Type>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  int: intType,
  list: { kind: 'list', name: 'list', params: [] },
  map: { kind: 'map', name: 'map', params: [] },
  null_type: nullType,
  string: stringType,
  type: plainTypeType,
  uint: uintType,
  optional_type: { kind: 'opaque', name: 'optional_type', params: [] },
  'google.protobuf.Timestamp': timestampType,
  'google.protobuf.Duration': durationType,
};

export function valueFrom(wire: Wire): Value {
  if ('nullValue' in wire) return null;
  if ('boolValue' in wire) return wire.boolValue;
  if ('stringValue' in wire) return wire.stringValue;
  if ('int64Value' in wire) return intValue(BigInt(wire.int64Value));
  if ('uint64Value' in wire) return new Uint(BigInt(wire.uint64Value));
  if ('doubleValue' in wire) return new Double(Number(wire.doubleValue));
  if ('bytesValue' in wire) return new Bytes(new Uint8Array(Buffer.from(wire.bytesValue, 'base64')));
  if ('listValue' in wire) return new ValueList((wire.listValue.values ?? []).map(valueFrom));
  if ('mapValue' in wire) {
    const entries: { key: Wire; value: Wire }[] = wire.mapValue.entries ?? [];
    return ValueMap.of(entries.map(({ key, value }) => [valueFrom(key), valueFrom(value)]));
  }
  if ('typeValue' in wire && namedTypes[wire.typeValue]) return new TypeValue(namedTypes[wire.typeValue]);
  if ('objectValue' in wire) {
    const kind = String(wire.objectValue['@type']).replace('type.googleapis.com/', '');
    const { value } = wire.objectValue;
    if (kind === 'google.protobuf.Timestamp') return parseTimestamp(value) as Value;
    if (kind === 'google.protobuf.Duration') return new Duration(parseDuration(value) ?? 0n);
  }
  throw new NeedsMessages(JSON.stringify(wire));
}

const primitives: Readonly<Record<string, Type>> = {
  BOOL: boolType,
  INT64: intType,
  UINT64: uintType,
  DOUBLE: doubleType,
  STRING: stringType,
  BYTES: bytesType,
};

export function typeFrom(wire: Wire): Type {
  if ('primitive' in wire) return primitives[wire.primitive];
  if ('wrapper' in wire) return wrapperOf(primitives[wire.wrapper]);
  if ('dyn' in wire) return dynType;
  if ('null' in wire) return nullType;
  if ('listType' in wire) return listOf(typeFrom(wire.listType.elemType ?? { dyn: {} }));
  if ('mapType' in wire) return mapOf(typeFrom(wire.mapType.keyType), typeFrom(wire.mapType.valueType));
  if ('wellKnown' in wire && wire.wellKnown === 'TIMESTAMP') return timestampType;
  if ('wellKnown' in wire && wire.wellKnown === 'DURATION') return durationType;
  if ('typeParam' in wire) return paramType(wire.typeParam);
  if ('type' in wire) return wire.type && Object.keys(wire.type).length > 0 ? typeOf(typeFrom(wire.type)) : plainTypeType;
  if ('abstractType' in wire) {
    return opaqueType(wire.abstractType.name, ...(wire.abstractType.parameterTypes ?? []).map(typeFrom));
  }
  throw new NeedsMessages(JSON.stringify(wire));
}
