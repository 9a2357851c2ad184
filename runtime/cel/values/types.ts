import type { Type } from '../types/type.ts';
import * as types from '../types/type.ts';
import { isOptional } from '../types/type.ts';
import { elements } from './list.ts';
import { runeCount } from './runes.ts';
import type { Value } from './value.ts';

/** Returns the runtime type of a value. The types of lists, maps and optionals have no parameters. */
export function valueType(value: Value): Type {
  switch (typeof value) {
    case 'boolean':
      return types.boolType;
    case 'string':
      return types.stringType;
    case 'number':
    case 'bigint':
      return types.intType;
    default:
  }
  if (value === null) return types.nullType;
  switch (value.tag) {
    case 'double':
      return types.doubleType;
    case 'uint':
      return types.uintType;
    case 'bytes':
      return types.bytesType;
    case 'timestamp':
      return types.timestampType;
    case 'duration':
      return types.durationType;
    case 'optional':
      return types.optionalTypeValue;
    case 'type':
      return types.plainTypeType;
    case 'list':
      return types.plainListType;
    case 'map':
      return types.plainMapType;
    case 'opaque':
      return value.type;
    case 'error':
      return types.errorType;
  }
}

/** Reports whether a value matches the type of a parameter. Checks only the first element of lists and maps. */
export function hasRuntimeType(type: Type, value: Value): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return true;
    case 'string':
      return typeof value === 'string';
    case 'int':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'bool':
      return typeof value === 'boolean';
    default:
  }
  if (value === null || typeof value !== 'object') return type.kind === 'null' && value === null;
  switch (type.kind) {
    case 'double':
    case 'uint':
    case 'bytes':
    case 'timestamp':
    case 'duration':
      return value.tag === type.kind;
    case 'type':
      return value.tag === 'type';
    case 'list': {
      if (value.tag !== 'list') return false;
      const [element] = type.params;
      return value.size === 0 || !element || hasRuntimeType(element, value.at(0));
    }
    case 'map': {
      if (value.tag !== 'map') return false;
      const [keyType, valueType] = type.params;
      if (value.size === 0 || !keyType || !valueType) return true;
      const [key] = value.keys();
      const found = key === undefined ? undefined : value.find(key);
      return key === undefined || (hasRuntimeType(keyType, key) && hasRuntimeType(valueType, found as Value));
    }
    default:
      if (isOptional(type)) return value.tag === 'optional';
      return value.tag === 'opaque' && value.type.name === type.name;
  }
}

/** Returns the size for the cost: runes, bytes, elements or entries, and 1 for all other values. */
export function valueSize(value: Value): number {
  if (typeof value === 'string') return runeCount(value);
  if (value === null || typeof value !== 'object') return 1;
  switch (value.tag) {
    case 'bytes':
      return value.value.length;
    case 'list':
    case 'map':
      return value.size;
    case 'opaque':
      return value.size?.() ?? 1;
    case 'optional':
      return value.value === undefined ? 1 : valueSize(value.value);
    default:
      return 1;
  }
}

/** Formats a value for messages. */
export function formatValue(value: Value): string {
  if (value === null || typeof value !== 'object') return String(value);
  switch (value.tag) {
    case 'double':
      return showDouble(value.value);
    case 'uint':
    case 'duration':
    case 'timestamp':
      return String(value.value);
    case 'bytes':
      return `[${[...value.value].join(' ')}]`;
    case 'list':
      return `[${[...elements(value)].map(formatValue).join(', ')}]`;
    case 'map':
      return `{${Array.from(value.keys(), (key) => `${formatValue(key)}: ${formatValue(value.find(key) ?? null)}`).join(', ')}}`;
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${formatValue(value.value)})`;
    case 'type':
      return value.type.name;
    case 'error':
      return value.message;
    case 'opaque':
      return value.type.name;
  }
}

function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}
