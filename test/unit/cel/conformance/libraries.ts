import { declare, type FunctionDecl, global, type Library } from '../../../../runtime/cel/checker/declarations.ts';
import { optionalLibrary } from '../../../../runtime/cel/library/optional.ts';
import { standardLibrary } from '../../../../runtime/cel/library/standard.ts';
import { stringsLibrary } from '../../../../runtime/cel/library/strings.ts';
import { twoVariableLibrary } from '../../../../runtime/cel/library/two-variable.ts';
import type { Expr } from '../../../../runtime/cel/syntax/ast.ts';
import { type Macro, MacroError, type MacroFactory } from '../../../../runtime/cel/syntax/macros.ts';
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  listOf,
  stringType,
  type Type,
  uintType,
} from '../../../../runtime/cel/types/type.ts';
import { compare } from '../../../../runtime/cel/values/equality.ts';
import { elements } from '../../../../runtime/cel/values/list.ts';
import { Bytes, CelError, type CelList, Double, intValue, Uint, type Value } from '../../../../runtime/cel/values/value.ts';

/** Libraries of the conformance cases that Kubernetes lacks. They show that libraries can be added. */

const isNamed = (expr: Expr | undefined, name: string): boolean => expr?.kind === 'ident' && expr.name === name;

function isNumeric(expr: Expr): boolean {
  if (expr.kind === 'literal') {
    const { value } = expr;
    return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double || value instanceof Uint;
  }
  return expr.kind !== 'list' && expr.kind !== 'map' && expr.kind !== 'struct';
}

/** math.least(...) and math.greatest(...). */
function extremeMacro(name: 'least' | 'greatest', call: string): Macro {
  return {
    name,
    receiver: true,
    args: undefined,
    expand(make, target, ...args) {
      if (!isNamed(target, 'math')) return undefined;
      if (args.length === 0) return new MacroError((target as Expr).id, `math.${name}() requires at least one argument`);
      if (args.length === 1) {
        const [arg] = args;
        const isList = arg.kind === 'list' && arg.elements.length > 0 && arg.elements.every(isNumeric);
        if (isList || isNumeric(arg)) return make.call(call, arg);
        return new MacroError(arg.id, `math.${name}() invalid single argument value`);
      }
      const bad = args.find((arg) => !isNumeric(arg));
      if (bad) return new MacroError(bad.id, `math.${name}() simple literal arguments must be numeric`);
      return args.length === 2 ? make.call(call, ...args) : make.call(call, make.list(...args));
    },
  };
}

const numbers: readonly [string, Type][] = [
  ['double', doubleType],
  ['int', intType],
  ['uint', uintType],
];

function extreme(name: string, sign: number): FunctionDecl {
  const pick = (a: Value, b: Value): Value => (compare(a, b) === sign ? b : a);
  return declare(`math.@${name}`, [
    ...numbers.map(([id, type]) => global(`math_@${name}_${id}`, [type], type, (value) => value)),
    ...numbers.flatMap(([left, a]) =>
      numbers.map(([right, b]) => global(`math_@${name}_${left}_${right}`, [a, b], a === b ? a : dynType, pick)),
    ),
    ...numbers.map(([id, type]) =>
      global(`math_@${name}_list_${id}`, [listOf(type)], type, (list) => {
        const [first, ...rest] = elements(list as CelList);
        return first === undefined ? new CelError('argument must not be empty') : rest.reduce(pick, first);
      }),
    ),
  ]);
}

function ofDouble(name: string, result: Type, of: (value: number) => Value): FunctionDecl {
  return declare(`math.${name}`, [global(`math_${name}_double`, [doubleType], result, (value) => of((value as Double).value))]);
}

const isZeroOrNaN = (value: number): boolean => value === 0 || Number.isNaN(value);
const round = (value: number): number => (isZeroOrNaN(value) ? value : Math.sign(value) * Math.round(Math.abs(value)));

const int = (value: Value): bigint => BigInt(value as number);
const uint = (value: Value): bigint => (value as Uint).value;
const toInt = (value: bigint): Value => intValue(BigInt.asIntN(64, value));
const toUint = (value: bigint): Value => new Uint(BigInt.asUintN(64, value));

function bits(name: string, of: (a: bigint, b: bigint) => bigint): FunctionDecl {
  return declare(`math.${name}`, [
    global(`math_${name}_int_int`, [intType, intType], intType, (a, b) => toInt(of(int(a), int(b)))),
    global(`math_${name}_uint_uint`, [uintType, uintType], uintType, (a, b) => toUint(of(uint(a), uint(b)))),
  ]);
}

function shift(name: string, of: (value: bigint, by: bigint) => bigint): FunctionDecl {
  const checked = (by: Value, result: () => Value): Value =>
    int(by) < 0n ? new CelError(`math.${name}() negative offset: ${by}`) : result();
  return declare(`math.${name}`, [
    global(`math_${name}_int_int`, [intType, intType], intType, (value, by) =>
      checked(by, () => toInt(of(BigInt.asUintN(64, int(value)), int(by)))),
    ),
    global(`math_${name}_uint_int`, [uintType, intType], uintType, (value, by) => checked(by, () => toUint(of(uint(value), int(by))))),
  ]);
}

const root = (of: (value: Value) => number) => (value: Value) => new Double(Math.sqrt(of(value)));

const mathLibrary: Library = {
  name: 'cel.lib.ext.math',
  macros: [extremeMacro('least', 'math.@min'), extremeMacro('greatest', 'math.@max')],
  functions: [
    extreme('min', 1),
    extreme('max', -1),
    ofDouble('ceil', doubleType, (value) => new Double(Math.ceil(value))),
    ofDouble('floor', doubleType, (value) => new Double(Math.floor(value))),
    ofDouble('round', doubleType, (value) => new Double(round(value))),
    ofDouble('trunc', doubleType, (value) => new Double(Math.trunc(value))),
    ofDouble('isInf', boolType, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    ofDouble('isNaN', boolType, (value) => Number.isNaN(value)),
    ofDouble('isFinite', boolType, (value) => Number.isFinite(value)),
    declare('math.abs', [
      global('math_abs_double', [doubleType], doubleType, (value) => new Double(Math.abs((value as Double).value))),
      global('math_abs_int', [intType], intType, (value) => {
        if (int(value) === -(2n ** 63n)) return new CelError('integer overflow');
        return toInt(int(value) < 0n ? -int(value) : int(value));
      }),
      global('math_abs_uint', [uintType], uintType, (value) => value),
    ]),
    declare('math.sign', [
      global('math_sign_double', [doubleType], doubleType, (value) => new Double(Math.sign((value as Double).value))),
      global('math_sign_int', [intType], intType, (value) => (int(value) > 0n ? 1 : int(value) < 0n ? -1 : 0)),
      global('math_sign_uint', [uintType], uintType, (value) => new Uint(uint(value) > 0n ? 1n : 0n)),
    ]),
    declare('math.sqrt', [
      global(
        'math_sqrt_double',
        [doubleType],
        doubleType,
        root((value) => (value as Double).value),
      ),
      global('math_sqrt_int', [intType], doubleType, root(Number)),
      global(
        'math_sqrt_uint',
        [uintType],
        doubleType,
        root((value) => Number(uint(value))),
      ),
    ]),
    bits('bitAnd', (a, b) => a & b),
    bits('bitOr', (a, b) => a | b),
    bits('bitXor', (a, b) => a ^ b),
    declare('math.bitNot', [
      global('math_bitNot_int_int', [intType], intType, (value) => toInt(~int(value))),
      global('math_bitNot_uint_uint', [uintType], uintType, (value) => toUint(~uint(value))),
    ]),
    shift('bitShiftLeft', (value, by) => (by > 63n ? 0n : value << by)),
    shift('bitShiftRight', (value, by) => (by > 63n ? 0n : value >> by)),
  ],
};

const encodersLibrary: Library = {
  name: 'cel.lib.ext.encoders',
  functions: [
    declare('base64.encode', [
      global('base64_encode_bytes', [bytesType], stringType, (bytes) => Buffer.from((bytes as Bytes).value).toString('base64')),
    ]),
    declare('base64.decode', [
      global('base64_decode_string', [stringType], bytesType, (text) => new Bytes(new Uint8Array(Buffer.from(text as string, 'base64')))),
    ]),
  ],
};

/** Returns a macro of the namespace `cel`. */
function celMacro(name: string, args: number, expand: (make: MacroFactory, args: readonly Expr[]) => Expr | MacroError): Macro {
  return {
    name,
    receiver: true,
    args,
    expand: (make, target, ...list) => (isNamed(target, 'cel') ? expand(make, list) : undefined),
  };
}

const literal = (expr: Expr): string => (expr.kind === 'literal' ? String(expr.value) : '?');

const bindingsLibrary: Library = {
  name: 'cel.lib.ext.bindings',
  macros: [
    celMacro('bind', 3, (make, [variable, value, body]) =>
      variable.kind === 'ident'
        ? make.bind(variable.name, value, body)
        : new MacroError(variable.id, 'cel.bind() variable names must be simple identifiers'),
    ),
    celMacro('block', 2, (make, [bindings, body]) => {
      if (bindings.kind !== 'list') return new MacroError(bindings.id, 'cel.block requires a list literal');
      return bindings.elements.reduceRight<Expr>((inner, value, i) => make.bind(`@index${i}`, value, inner), body);
    }),
    celMacro('index', 1, (make, [index]) => make.ident(`@index${literal(index)}`)),
    celMacro('iterVar', 2, (make, [depth, unique]) => make.ident(`@it:${literal(depth)}:${literal(unique)}`)),
    celMacro('accuVar', 2, (make, [depth, unique]) => make.ident(`@ac:${literal(depth)}:${literal(unique)}`)),
  ],
};

const quotedFields: Library = { name: 'quoted fields', quotedFields: true };

/** The environment of the conformance cases. */
export const conformanceLibraries: readonly Library[] = [
  standardLibrary,
  optionalLibrary,
  twoVariableLibrary,
  stringsLibrary(4),
  mathLibrary,
  encodersLibrary,
  bindingsLibrary,
  quotedFields,
];
