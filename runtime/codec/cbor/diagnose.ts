import { isUtf8 } from 'node:buffer';
import { CborCursor, type Head, indefinite } from './cursor.ts';

/**
 * Returns the beginning of a well-formed document in diagnostic notation, for messages. (RFC 8949, section 8;
 * apimachinery pkg/runtime/serializer/cbor/internal/modes/diagnostic.go)
 *
 * @param maxLength the number of characters after which the text soon ends
 */
export function diagnoseCbor(bytes: Uint8Array, maxLength: number): string {
  const diagnosis = new Diagnosis(bytes, maxLength);
  diagnosis.item();
  return diagnosis.text;
}

class Diagnosis {
  text = '';
  readonly #cursor: CborCursor;
  readonly #maxLength: number;

  constructor(bytes: Uint8Array, maxLength: number) {
    this.#cursor = new CborCursor(bytes);
    this.#maxLength = maxLength;
  }

  item(): void {
    const head = this.#cursor.head();
    const { major, info, argument } = head;
    switch (major) {
      case 0:
        this.text += String(argument);
        return;
      case 1:
        this.text += String(-1n - BigInt(argument));
        return;
      case 2:
      case 3:
        if (info === indefinite) this.#chunks(major);
        else this.#string(head);
        return;
      case 4:
        this.#sequence('[', head, ']', () => this.item());
        return;
      case 5:
        this.#sequence('{', head, '}', () => this.#pair());
        return;
      case 6:
        this.text += `${argument}(`;
        this.item();
        this.text += ')';
        return;
      default:
        this.text += ['false', 'true', 'null'][info - 20] ?? floatText(this.#cursor.float(head) ?? 0);
    }
  }

  #pair(): void {
    this.item();
    this.text += ': ';
    this.item();
  }

  #sequence(open: string, { info, argument }: Head, close: string, one: () => void): void {
    const isIndefinite = info === indefinite;
    this.text += isIndefinite ? `${open}_ ` : open;
    for (let i = 0; isIndefinite ? !this.#cursor.atBreak() : i < argument; i++) {
      if (this.text.length > this.#maxLength) return;
      if (i > 0) this.text += ', ';
      one();
    }
    this.text += close;
  }

  #chunks(major: number): void {
    if (this.#cursor.atBreak()) {
      this.text += major === 2 ? "''_" : '""_';
      return;
    }
    this.text += '(_ ';
    for (let i = 0; i === 0 || !this.#cursor.atBreak(); i++) {
      if (this.text.length > this.#maxLength) return;
      if (i > 0) this.text += ', ';
      this.#string(this.#cursor.head());
    }
    this.text += ')';
  }

  #string({ major, argument }: Head): void {
    const bytes = this.#cursor.take(argument);
    const quote = major === 2 ? "'" : '"';
    if (isUtf8(bytes)) this.text += `${quote}${escaped(bytes.toString('utf8', 0, this.#maxLength), quote)}${quote}`;
    else this.text += `h'${bytes.toString('hex', 0, this.#maxLength)}'`;
  }
}

const names: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

/** Escapes everything but printable ASCII as UTF-16 in hexadecimal digits. */
const escaped = (text: string, quote: string): string =>
  text.replace(/[^ -~]|['"\\]/g, (character) => {
    if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
    return names[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** Formats a float, which always has a point. */
function floatText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-6 || magnitude >= 1e21)) {
    const [digits = '', exponent] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}e${exponent}`;
  }
  return text.includes('.') ? text : `${text}.0`;
}
