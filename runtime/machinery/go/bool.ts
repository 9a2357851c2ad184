import { quote } from './quote.ts';

const values: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** A boolean as strconv.ParseBool reads it; undefined if the text is not a boolean. */
export function parseGoBool(text: string): boolean | undefined {
  return values.get(text);
}

/** The error of strconv.ParseBool. */
export function parseGoBoolError(text: string): string {
  return `strconv.ParseBool: parsing ${quote(text)}: invalid syntax`;
}
