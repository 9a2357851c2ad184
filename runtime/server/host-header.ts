/** Of sub-delims, unreserved and percent-encoded characters, brackets and colons. (golang.org/x/net/http/httpguts ValidHostHeader) */
const hostCharacters = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/**
 * What is wrong with the Host of an HTTP/1 request, in the words of Go's server; undefined where nothing is. A request
 * with two hosts may be for another than the one that a proxy looked at. (net/http readRequest; RFC 9112, 3.2)
 *
 * @param rawHeaders names and values in turns
 */
export function hostProblem(rawHeaders: readonly string[], httpVersionMinor: number): string | undefined {
  let host: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'too many Host headers';
    host = rawHeaders[at + 1];
  }
  if (host === undefined) return httpVersionMinor === 0 ? undefined : 'missing required Host header';
  return hostCharacters.test(host) ? undefined : 'malformed Host header';
}
