import { Float64 } from '../../machinery/json/float64.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import { maxUint64, minInt64 } from '../../machinery/scalars/integers.ts';
import { formatG } from './go-values.ts';
import { compareKeys } from './key-order.ts';
import { escapeText, type ScalarStyle, styleOf } from './scalar-style.ts';

/** The column after which text is folded at the next space, as in go-yaml v2. */
const bestWidth = 80;
/** The maximum length of a simple key. Longer keys are written with a question mark. */
const maxSimpleKey = 128;

/** Writes a value like sigs.k8s.io/yaml: keys are sorted, lists have the indent of their key. */
export function writeYaml(value: unknown): string {
  const writer = new Writer();
  writer.node(value, 0, 'root');
  return writer.finish();
}

type Place = 'root' | 'value' | 'item';

class Writer {
  #out = '';
  #column = 0;

  finish(): string {
    return `${this.#out}\n`;
  }

  #put(text: string): void {
    this.#out += text;
    this.#column += text.length;
  }

  #line(indent: number): void {
    this.#out += `\n${' '.repeat(indent)}`;
    this.#column = indent;
  }

  /** Writes a value. `indent` is the indent of the keys or dashes around it. */
  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value) && value.length > 0) this.#sequence(value, indent, place);
    else if (isJsonObject(value) && members(value).length > 0) this.#mapping(value, indent, place);
    else {
      if (place === 'value') this.#put(' ');
      this.#scalar(value, indent + 2, false);
    }
  }

  #mapping(value: object, outer: number, place: Place): void {
    const indent = place === 'root' ? outer : outer + 2;
    members(value).forEach(([key, member], i) => {
      if (i > 0 || place === 'value') this.#line(indent);
      if (Buffer.byteLength(key) > maxSimpleKey || key.includes('\n')) {
        this.#put('? ');
        this.#scalar(key, indent + 2, true);
        this.#line(indent);
      } else this.#scalar(key, indent, true);
      this.#put(':');
      this.node(member, indent, 'value');
    });
  }

  #sequence(items: readonly unknown[], outer: number, place: Place): void {
    // Lists in mappings are not indented, lists in lists are.
    const indent = place === 'item' ? outer + 2 : outer;
    items.forEach((item, i) => {
      if (i > 0 || place === 'value') this.#line(indent);
      this.#put('- ');
      this.node(item === undefined ? null : item, indent, 'item');
    });
  }

  #scalar(value: unknown, indent: number, isKey: boolean): void {
    if (typeof value === 'string') this.#text(value, indent, isKey);
    else if (typeof value === 'number') this.#put(goFloat(value));
    else if (value instanceof Float64) this.#put(goFloat(value.value));
    else if (typeof value === 'bigint' || typeof value === 'boolean') this.#put(String(value));
    else this.#put(Array.isArray(value) ? '[]' : isJsonObject(value) ? '{}' : 'null');
  }

  #text(text: string, indent: number, isKey: boolean): void {
    const style = styleOf(text, isKey);
    if (style === 'literal') this.#literal(text, indent);
    else if (style === 'plain' && (isKey || this.#column + text.length <= bestWidth)) this.#put(text);
    else if (style === 'plain') this.#folded(text, indent, isKey, style);
    else {
      this.#put(style === 'double' ? '"' : "'");
      this.#folded(text, indent, isKey, style);
      this.#put(style === 'double' ? '"' : "'");
    }
  }

  /** Breaks long lines at single spaces. In double quotes, a space that would begin a line is escaped. */
  #folded(text: string, indent: number, isKey: boolean, style: ScalarStyle): void {
    const double = style === 'double';
    let afterSpace = false;
    for (let at = 0; at < text.length; ) {
      if (text[at] !== ' ') {
        const space = text.indexOf(' ', at);
        const word = text.slice(at, space < 0 ? text.length : space);
        this.#put(double ? escapeText(word) : style === 'single' ? word.replaceAll("'", "''") : word);
        at += word.length;
        afterSpace = false;
        continue;
      }
      const inside = at > 0 && at < text.length - 1;
      const next = text[at + 1] === ' ';
      if (!isKey && !afterSpace && inside && this.#column > bestWidth && (double || !next)) {
        this.#line(indent);
        if (next) this.#put('\\');
      } else this.#put(' ');
      at++;
      afterSpace = true;
    }
  }

  /** Writes a literal block. The indicators after the bar describe its start and end. */
  #literal(text: string, indent: number): void {
    const lines = text.split('\n');
    const starts = /^[ \n]/.test(text) ? '2' : '';
    const ends = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
    if (text.endsWith('\n')) lines.pop();
    this.#out += `|${starts}${ends}`;
    for (const line of lines) this.#out += line === '' ? '\n' : `\n${' '.repeat(indent)}${line}`;
    this.#column = bestWidth;
  }
}

function members(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareKeys(a, b));
}

/**
 * Formats a float as upstream, which reads the number's JSON as YAML: as an integer if the digits fit into int64 or
 * uint64, otherwise as strconv.FormatFloat(value, 'g', -1, 64).
 */
function goFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) {
    const digits = BigInt(String(value));
    if (digits >= minInt64 && digits <= maxUint64) return digits.toString();
  }
  return formatG(value, 64);
}
