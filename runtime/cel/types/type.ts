import { elementAt } from '../../machinery/collections/element-at.ts';

/** The kind of a type. (cel-go types.Kind) */
export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'param'
  | 'type'
  | 'uint';

/** A type, as the checker infers it and `type(x)` returns it. (cel-go common/types/types.go) */
export interface Type {
  readonly kind: TypeKind;
  /** The runtime name: `int`, `list`, `google.protobuf.Timestamp`, or the name of a message or library type. */
  readonly name: string;
  readonly params: readonly Type[];
  /** Whether this is a wrapper type, to which null is assignable. */
  readonly nullable?: boolean;
}

const simple = (kind: TypeKind, name: string): Type => ({ kind, name, params: [] });

export const boolType = simple('bool', 'bool');
export const bytesType = simple('bytes', 'bytes');
export const doubleType = simple('double', 'double');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn', 'dyn');
/** Like dynType, but iterable types are not assignable to it. */
export const anyType = simple('any', 'any');
export const errorType = simple('error', '*error*');
export const intType = simple('int', 'int');
export const nullType = simple('null', 'null_type');
export const stringType = simple('string', 'string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const uintType = simple('uint', 'uint');
export const plainTypeType = simple('type', 'type');
/** The results of `type([])` and `type({})`. */
export const plainListType = simple('list', 'list');
export const plainMapType = simple('map', 'map');
export const optionalTypeValue = simple('opaque', 'optional_type');

export const listOf = (element: Type): Type => ({ kind: 'list', name: 'list', params: [element] });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] });
export const optionalOf = (type: Type): Type => opaqueType('optional_type', type);
export const typeOf = (type: Type): Type => ({ kind: 'type', name: 'type', params: [type] });
export const paramType = (name: string): Type => simple('param', name);
export const structType = (name: string): Type => simple('struct', name);
export const wrapperOf = (type: Type): Type => ({ ...type, nullable: true });
export function opaqueType(name: string, ...params: Type[]): Type {
  return { kind: 'opaque', name, params };
}

export const isDyn = (type: Type): boolean => type.kind === 'dyn' || type.kind === 'any';
export const isDynOrError = (type: Type): boolean => isDyn(type) || type.kind === 'error';
export const isOptional = (type: Type): boolean => type.kind === 'opaque' && type.name === 'optional_type';

/** Returns the type within an optional type, or else the type itself. */
export function unwrapOptional(type: Type): { type: Type; optional: boolean } {
  const [inner] = type.params;
  return inner && isOptional(type) ? { type: inner, optional: true } : { type, optional: false };
}

/** Formats a type for messages: `list(string)`, `map(string, dyn)`, `wrapper(int)`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'timestamp':
      return 'timestamp';
    case 'param':
      return type.name;
    default:
  }
  if (type.params.length === 0) return type.nullable ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}

/**
 * Returns the name of a type as Go prints the value: the message name for durations and timestamps. (cel-go types.Type
 * String)
 */
export function typeString(type: Type): string {
  if (type.params.length === 0) return type.nullable ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.params.map(typeString).join(', ')})`;
}

/** Formats the argument types of a call that matches no overload: `target.(args)`. */
export function formatSignature(args: readonly Type[], hasTarget: boolean): string {
  const names = args.map(formatType);
  const target = hasTarget ? `${names.shift()}.` : '';
  return `${target}(${names.join(', ')})`;
}

export function sameType(a: Type, b: Type): boolean {
  return equivalent(a, b, true);
}

/** Like sameType, but type parameters may have different names. */
export function equivalentType(a: Type, b: Type): boolean {
  return equivalent(a, b, false);
}

function equivalent(a: Type, b: Type, paramNames: boolean): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.params.length !== b.params.length) return false;
  if ((paramNames || a.kind !== 'param') && a.name !== b.name) return false;
  return a.params.every((param, i) => equivalent(param, elementAt(b.params, i), paramNames));
}
