import { quote } from './quote.ts';

const values: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** Parses a boolean as strconv.ParseBool does. Returns undefined for other text. */
export function parseGoBool(text: string): boolean | undefined {
  return values.get(text);
}

/** Returns the error of strconv.ParseBool. */
export function parseGoBoolError(text: string): string {
  return `strconv.ParseBool: parsing ${quote(text)}: invalid syntax`;
}
