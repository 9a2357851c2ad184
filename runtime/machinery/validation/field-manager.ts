import { type FieldError, invalid, tooLong } from './field-error.ts';
import type { FieldPath } from './field-path.ts';

/** Bytes. (FieldManagerMaxLength) */
export const maxFieldManagerLength = 128;

/** Go's unicode.IsPrint. */
export function isPrintable(char: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);
}

/** Returns the errors of a field manager's name. (apimachinery meta/v1/validation ValidateFieldManager) */
export function validateFieldManager(name: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(name) > maxFieldManagerLength) errors.push(tooLong(path, '', maxFieldManagerLength));
  let position = 0;
  for (const char of name) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, name, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(char);
  }
  return errors;
}
