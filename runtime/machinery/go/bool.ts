import { quote } from './quote.ts';

const values: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/** A boolean as Go's strconv.ParseBool reads it; undefined for what is none. */
export function parseGoBool(text: string): boolean | undefined {
  return values.get(text);
}

/** What strconv.ParseBool says of a text that is no boolean. */
export function parseGoBoolError(text: string): string {
  return `strconv.ParseBool: parsing ${quote(text)}: invalid syntax`;
}
