/** Sub-delims, unreserved and percent-encoded characters, brackets and colons. (httpguts.ValidHostHeader) */
const hostCharacters = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * Returns the error of Go's server for an invalid Host header, or undefined. Two Host headers are an error, because a
 * proxy may have used the other one. (net/http readRequest; RFC 9112, 3.2)
 *
 * @param rawHeaders alternating names and values
 */
export function hostHeaderError(rawHeaders: readonly string[], httpVersionMinor: number): string | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'too many Host headers';
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return httpVersionMinor === 0 ? undefined : 'missing required Host header';
  return hostCharacters.test(host) ? undefined : 'malformed Host header';
}
