import { quote } from '../../machinery/go/quote.ts';
import { maxInt64 } from '../../machinery/scalars/integers.ts';
import { GoFloat, type Resolved } from './resolve.ts';

/** Values as go-yaml decodes them into Go types: keys of any type, and values as `%#v` prints them. */
export type GoValue = Resolved | readonly GoValue[] | GoMap;

/** A Go map[interface{}]interface{}. */
export class GoMap {
  readonly #entries = new Map<string, { readonly key: Resolved; readonly value: GoValue }>();

  /** Sets a member. Returns true if the map already had the key. */
  set(key: Resolved, value: GoValue): boolean {
    const id = keyId(key);
    const had = this.#entries.has(id);
    this.#entries.set(id, { key, value });
    return had;
  }

  toString(): string {
    const members = [...this.#entries.values()]
      .sort((a, b) => compareKeys(a.key, b.key))
      .map(({ key, value }) => `${shown(key)}:${shown(value)}`);
    return `map[interface {}]interface {}{${members.join(', ')}}`;
  }
}

let nans = 0;

/** Returns an id of a key: 1, "1" and 1.0 differ, and NaN differs from itself. */
export function keyId(key: Resolved): string {
  if (typeof key === 'string') return `s${key}`;
  if (key instanceof GoFloat) return Number.isNaN(key.value) ? `n${nans++}` : `f${key.value === 0 ? 0 : key.value}`;
  return `${key}`;
}

/** Returns the JSON name that sigs.k8s.io/yaml gives a key; undefined if it has none. */
export function keyText(key: Resolved): string | undefined {
  if (typeof key === 'string') return key;
  if (key === null || (typeof key === 'bigint' && key > maxInt64)) return undefined;
  if (!(key instanceof GoFloat)) return String(key);
  const value = Math.fround(key.value);
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatG(value, 32);
}

/** Returns strconv.FormatFloat(value, 'g', -1, bits) of a finite value. */
export function formatG(value: number, bits: 32 | 64): string {
  if (Object.is(value, -0)) return '-0';
  const shortest = bits === 64 ? value.toExponential() : shortest32(value);
  const [mantissa, power] = shortest.split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(Number(shortest));
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** Returns the shortest digits that parse to the same float32. */
function shortest32(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

/** Prints a value as `%#v`. */
export function goSyntax(value: GoValue): string {
  return value === null ? '<nil>' : shown(value);
}

function shown(value: GoValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(shown).join(', ')}}`;
  if (typeof value === 'bigint' && value > maxInt64) return `0x${value.toString(16)}`;
  if (!(value instanceof GoFloat)) return String(value);
  if (Number.isNaN(value.value)) return 'NaN';
  if (!Number.isFinite(value.value)) return value.value > 0 ? '+Inf' : '-Inf';
  return formatG(value.value, 64);
}

/** Prints the type of a key as `%T`. */
export function goType(key: Resolved): string {
  if (key === null) return '%!s(<nil>)';
  if (typeof key === 'bigint') return key > maxInt64 ? 'uint64' : 'int';
  if (key instanceof GoFloat) return 'float64';
  return typeof key === 'number' ? 'int' : typeof key === 'boolean' ? 'bool' : 'string';
}

/** The order in which Go prints map keys: nil, then by type in the order of Go's linker. */
const typeOrder = [goType(null), 'string', 'uint64', 'int', 'float64', 'bool'];

function compareKeys(a: Resolved, b: Resolved): number {
  const [aType, bType] = [goType(a), goType(b)];
  if (aType !== bType) return typeOrder.indexOf(aType) - typeOrder.indexOf(bType);
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b);
  const [left, right] = [a, b].map((key) => (key instanceof GoFloat ? key.value : key)) as [number, number];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares by bytes, as Go compares strings. */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
