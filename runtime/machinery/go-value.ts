import { quote } from './quote.ts';

/**
 * A value as Go's error texts show it: strings quoted, scalars bare (%v), structs and lists as json.Marshal writes them.
 */
export function goValue(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  return jsonText(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** %v: exponents from 1e21 on and below 1e-4, with two digits at least. */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
  const [mantissa, power] = value.toExponential().split('e');
  const exponent = Number(power);
  if (!Number.isFinite(value) || (exponent >= -4 && exponent < 21)) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** JSON.stringify, which refuses bigints: here they are their digits. */
function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join(',')}}`;
}
