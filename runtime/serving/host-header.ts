/** Sub-delims, unreserved and percent-encoded characters, brackets and colons. (httpguts.ValidHostHeader) */
const hostCharacters = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * Returns the reason with which Go's server refuses an invalid Host header, or undefined. Two Host headers are an error,
 * because a proxy may have used the other one. (net/http readRequest; RFC 9112, 3.2)
 *
 * @param rawHeaders alternating names and values
 */
export function hostHeaderRefusal(rawHeaders: readonly string[], httpVersionMinor: number): string | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'Bad Request';
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return httpVersionMinor === 0 ? undefined : 'Bad Request: missing required Host header';
  return hostCharacters.test(host) ? undefined : 'Bad Request: malformed Host header';
}
