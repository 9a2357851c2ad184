import type { IncomingMessage } from 'node:http';

/**
 * Removes headers from a request, so that no later handler trusts or forwards them.
 *
 * @param isRemoved receives names in the client's spelling
 */
export function removeHeaders(
  { rawHeaders, headers }: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  isRemoved: (name: string) => boolean,
): void {
  let kept = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (isRemoved(name)) {
      // a deletion would turn the headers into a slow dictionary
      headers[name.toLowerCase()] = undefined;
      continue;
    }
    rawHeaders[kept] = name;
    rawHeaders[kept + 1] = rawHeaders[at + 1] ?? '';
    kept += 2;
  }
  rawHeaders.length = kept;
}
