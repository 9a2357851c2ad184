import { Float64 } from '../../machinery/json/float64.ts';

/** Implements JSON.stringify with bigints as digits. */
export function stringifyExact(value: unknown): string | undefined {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      break;
    default:
      return JSON.stringify(value);
  }
  if (value === null) return 'null';
  if (value instanceof Float64) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => stringifyExact(item) ?? 'null').join(',')}]`;
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    const written = stringifyExact(member);
    if (written !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${written}`;
  }
  return `{${text}}`;
}
