import { isPrintable, longestManagerName } from '../../machinery/validation/field-manager.ts';

/** Who writes: as the request says it, else the User-Agent up to its first slash. (apiserver managerOrUserAgent) */
export function managerOfRequest(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  let name = '';
  let length = 0;
  for (const char of (userAgent ?? '').split('/')[0]) {
    if (!isPrintable(char)) continue;
    length += Buffer.byteLength(char);
    if (length > longestManagerName) break;
    name += char;
  }
  return name;
}
