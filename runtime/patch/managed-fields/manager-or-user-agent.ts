import { isPrintable, maxFieldManagerLength } from '../../machinery/validation/field-manager.ts';

/** Returns the field manager of the request, or else the User-Agent up to its first slash. (apiserver managerOrUserAgent) */
export function managerOrUserAgent(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  let name = '';
  let length = 0;
  for (const char of userAgent?.split('/')[0] ?? '') {
    if (!isPrintable(char)) continue;
    length += Buffer.byteLength(char);
    if (length > maxFieldManagerLength) break;
    name += char;
  }
  return name;
}
