import { spend } from '../../machinery/event-loop/budget.ts';
import { compareStrings } from '../../machinery/go/compare-strings.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { CheckedAst } from '../checker/checker.ts';
import type { Call, Expr, NodeId } from '../syntax/ast.ts';
import type { Type, TypeKind } from '../types/type.ts';
import { stringType } from '../types/type.ts';
import { convert, parseDouble } from '../values/convert.ts';
import { elements } from '../values/list.ts';
import { valueType } from '../values/types.ts';
import type { CelMap } from '../values/value.ts';
import { Bytes, CelError, type CelList, Double, Duration, isError, isInt, Timestamp, Uint, type Value } from '../values/value.ts';

/** `localized` formats numbers in the locale en_US, as Kubernetes' version does; `plain` in the C locale. */
export type FormatDialect = 'localized' | 'plain';

interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
}

/** Literal text, or a clause that formats an argument. */
type Piece = string | Clause;

/** An argument whose type does not match its clause. */
class TypeMismatch {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * The maximum length of the result in UTF-16 units, needed because the cost ignores the length of the arguments' texts.
 */
const maxLength = 16_000_000;
const maxPrecision = 1_000_000;
/** Microseconds to format an item of a list or map. */
const perItem = 0.5;

/** Parses a format string. With an error, also returns the pieces before it. */
function parseFormat(format: string): { pieces: Piece[]; error?: string } {
  const found: Piece[] = [];
  let at = 0;
  for (const match of format.matchAll(/%(?:(%)|(?:\.([0-9]*))?([\s\S]?))/gu)) {
    found.push(format.slice(at, match.index));
    const [whole, percent, precision, verb = ''] = match;
    at = match.index + whole.length;
    if (percent) {
      found.push('%');
      continue;
    }
    if (whole === '%') return { pieces: found, error: 'unexpected end of string' };
    const parse = 'could not parse formatting clause: ';
    if (precision !== undefined && verb === '') {
      return {
        pieces: found,
        error: `${parse}error while parsing precision: could not find end of precision specifier`,
      };
    }
    if (precision === '') {
      const text = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
      return { pieces: found, error: `${parse}error while parsing precision: ${text}` };
    }
    if (!'sdfebxXo'.includes(verb)) return { pieces: found, error: `${parse}unrecognized formatting clause "${verb}"` };
    found.push({ verb, precision: precision === undefined ? undefined : Number(precision) });
  }
  found.push(format.slice(at));
  return { pieces: found };
}

/** Evaluates `"%s is %d".format([a, b])`. (cel-go ext/formatting.go) */
export function formatString(format: string, args: CelList, dialect: FormatDialect): Value {
  const parsed = parseFormat(format);
  let out = '';
  let next = 0;
  spend(format.length * 0.01);
  for (const piece of parsed.pieces) {
    if (typeof piece === 'string') {
      out += piece;
      continue;
    }
    if (next >= args.size) return new CelError(`index ${next} out of range`);
    const text = formatClause(args.at(next++), piece, dialect);
    if (typeof text !== 'string') return new CelError(`error during formatting: ${text.message}`);
    if (out.length + text.length > maxLength) return new CelError('the text is too long');
    spend(text.length * 0.01);
    out += text;
  }
  if (parsed.error === undefined) return out;
  return new CelError(next >= args.size && parsed.error !== 'unexpected end of string' ? `index ${next} out of range` : parsed.error);
}

function formatClause(value: Value, { verb, precision }: Clause, dialect: FormatDialect): string | TypeMismatch | CelError {
  switch (verb) {
    case 's':
      return formatText(value, dialect);
    case 'd':
      if (isInt(value)) return String(value);
      if (value instanceof Uint) return String(value.value);
      if (dialect === 'plain' && value instanceof Double && !Number.isFinite(value.value)) return special(value.value);
      return typeMismatch('d', value);
    case 'f':
    case 'e':
      return formatNumber(value, verb, precision ?? 6, dialect);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return inBase(value, 2) ?? typeMismatch('b', value);
    case 'o':
      return inBase(value, 8) ?? typeMismatch('o', value);
    default: {
      const bytes = value instanceof Bytes ? Buffer.from(value.value) : typeof value === 'string' ? Buffer.from(value) : undefined;
      const text = bytes?.toString('hex') ?? inBase(value, 16);
      if (text === undefined) return typeMismatch('x', value);
      return verb === 'X' ? text.toUpperCase() : text;
    }
  }
}

function inBase(value: Value, base: number): string | undefined {
  const number = isInt(value) ? BigInt(value) : value instanceof Uint ? value.value : undefined;
  return number?.toString(base);
}

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity');

function formatNumber(value: Value, verb: 'f' | 'e', precision: number, dialect: FormatDialect): string | TypeMismatch {
  let number = value instanceof Double ? value.value : undefined;
  if (typeof value === 'string' && ['NaN', 'Infinity', '-Infinity'].includes(value)) number = parseDouble(value);
  if (number === undefined && dialect === 'plain') {
    if (isInt(value)) number = Number(value);
    else if (value instanceof Uint) number = Number(value.value);
  }
  if (number === undefined) return typeMismatch(verb, value);
  if (!Number.isFinite(number)) {
    if (dialect === 'plain') return special(number);
    return Number.isNaN(number) ? 'NaN' : number > 0 ? '∞' : '-∞';
  }
  if (verb === 'f') {
    const text = fixed(number, Math.min(precision, maxPrecision));
    if (dialect === 'plain') return text;
    const [whole = '', ...fraction] = text.split('.');
    return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
  }
  const [digits, exponent = ''] = number.toExponential(Math.min(precision, 100)).split('e');
  const power = exponent.slice(1).padStart(2, '0');
  if (dialect === 'plain') return `${digits}e${exponent[0]}${power}`;
  const raised = [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${digits}×10${exponent[0] === '-' ? '⁻' : ''}${raised}`;
}

/** Formats a number of any size without an exponent. */
function fixed(value: number, precision: number): string {
  if (Math.abs(value) < 1e21) {
    const places = Math.min(precision, 100);
    // Go rounds ties to even, but toFixed away from zero
    const scaled = value * 10 ** places;
    const floor = Math.floor(scaled);
    const isTie = scaled - floor === 0.5 && scaled / 10 ** places === value;
    return (isTie ? (floor + (floor % 2 === 0 ? 0 : 1)) / 10 ** places : value).toFixed(places);
  }
  return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '');
}

const expectations: Readonly<Record<string, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

const typeMismatch = (verb: string, value: Value): TypeMismatch =>
  new TypeMismatch(`${expectations[verb]}, was given ${valueType(value).name}`);

function formatText(value: Value, dialect: FormatDialect): string | TypeMismatch | CelError {
  if (value === null) return 'null';
  if (typeof value === 'object' && value.tag === 'list') return formatList(value, dialect);
  if (typeof value === 'object' && value.tag === 'map') return formatMap(value, dialect);
  if (dialect === 'plain' && value instanceof Double) {
    return Number.isFinite(value.value) ? plainDouble(value.value) : special(value.value);
  }
  if (typeof value === 'object' && (value.tag === 'opaque' || value.tag === 'optional')) return typeMismatch('s', value);
  const text = convert(value, stringType);
  return isError(text) ? text : String(text);
}

function plainDouble(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-])(\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, digit, fraction, exponentSign, exponent = ''] = match;
  return `${sign}${digit}${fraction ? `.${fraction}` : ''}e${exponentSign}${exponent.padStart(2, '0')}`;
}

/** Formats a member of a list or map: doubles in fixed notation, strings quoted, times as calls. */
function formatMember(value: Value, dialect: FormatDialect): string | TypeMismatch | CelError {
  if (dialect === 'plain') {
    return formatText(value, dialect);
  }
  if (typeof value === 'string') return quote(value);
  if (value instanceof Double) {
    if (!Number.isFinite(value.value)) return `"${Number.isNaN(value.value) ? 'NaN' : value.value > 0 ? '+Inf' : '-Inf'}"`;
    return fixed(value.value, 6);
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return `${value.tag}("${String(convert(value, stringType))}")`;
  }
  const text = formatText(value, dialect);
  if (typeof text !== 'string') return text;
  return value instanceof Bytes ? `b${quote(text)}` : text;
}

function formatList(list: CelList, dialect: FormatDialect): string | TypeMismatch | CelError {
  const texts: string[] = [];
  spend(list.size * perItem);
  for (const item of elements(list)) {
    const text = formatMember(item, dialect);
    if (typeof text !== 'string') return text;
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

function formatMap(map: CelMap, dialect: FormatDialect): string | TypeMismatch | CelError {
  const pairs: [string, string][] = [];
  spend(map.size * perItem);
  for (const key of map.keys()) {
    const shown = valueType(key);
    if (!['string', 'bool', 'int', 'uint', ...(dialect === 'plain' ? ['double'] : [])].includes(shown.kind)) {
      return new TypeMismatch(`no formatting function for map key of type ${shown.name}`);
    }
    const name = formatMember(key, dialect);
    if (typeof name !== 'string') return name;
    const text = formatMember(map.find(key) as Value, dialect);
    if (typeof text !== 'string') return text;
    pairs.push([name, text]);
  }
  pairs.sort(([a], [b]) => compareStrings(a, b));
  const separator = dialect === 'plain' ? ': ' : ':';
  return `{${pairs.map(([key, text]) => key + separator + text).join(', ')}}`;
}

const accepted: Readonly<Record<string, readonly TypeKind[]>> = {
  s: 'list map int uint double bool string timestamp bytes duration type null'.split(' ') as TypeKind[],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** Reports a literal list of arguments that does not match its literal format string. */
export function checkFormatCall(call: Call, ast: CheckedAst, report: (id: NodeId, message: string) => void): void {
  const [list] = call.args;
  const format = call.target;
  if (format?.kind !== 'literal' || typeof format.value !== 'string' || list?.kind !== 'list') return;
  if (!ast.references.get(call.id)?.overloads?.includes('string_format')) return;
  const parsed = parseFormat(format.value);
  let next = 0;
  for (const piece of parsed.pieces) {
    if (typeof piece === 'string') continue;
    const arg = list.elements[next];
    if (!arg) {
      report(call.id, `index ${next} out of range`);
      return;
    }
    next++;
    const mismatch = mismatchIn(arg, piece.verb, ast);
    if (!mismatch) continue;
    const { name } = ast.types.get(mismatch.id) as Type;
    report(mismatch.id, `error during formatting: ${expectations[piece.verb]}, was given ${name}`);
    return;
  }
  if (parsed.error !== undefined) {
    const lacking = next >= list.elements.length && parsed.error !== 'unexpected end of string';
    report(call.id, lacking ? `index ${next} out of range` : parsed.error);
  } else if (list.elements.length > next) {
    const count = list.elements.length;
    report(call.id, `too many arguments supplied to string.format (expected ${next}, got ${count})`);
  }
}

/** Returns the first node within an argument whose type does not match the clause. */
function mismatchIn(expr: Expr, verb: string, ast: CheckedAst): Expr | undefined {
  const type = ast.types.get(expr.id);
  if (type && type.kind !== 'dyn' && !accepted[verb]?.includes(type.kind)) return expr;
  if (verb !== 's') return undefined;
  const inner = expr.kind === 'list' ? expr.elements : expr.kind === 'map' ? expr.entries.flatMap(({ key, value }) => [key, value]) : [];
  for (const node of inner) {
    const mismatch = mismatchIn(node, verb, ast);
    if (mismatch) return mismatch;
  }
  return undefined;
}
