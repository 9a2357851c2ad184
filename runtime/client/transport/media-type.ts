/** Returns the problem of a Content-Type in Go's words; undefined for a valid one. (mime.ParseMediaType) */
export function mediaTypeProblem(header: string): string | undefined {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  if (type === '') return 'mime: no media type';
  const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
  const [main = '', rest = ''] = [token.exec(type)?.[0], type.slice((token.exec(type)?.[0] ?? '').length)];
  if (main === '') return 'mime: expected token after slash';
  if (rest !== '') {
    if (!rest.startsWith('/')) return 'mime: expected slash after first token';
    const sub = token.exec(rest.slice(1))?.[0] ?? '';
    if (sub === '') return 'mime: expected token after slash';
    if (sub.length !== rest.length - 1) return 'mime: unexpected content after media subtype';
  }
  const isParameter = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\s*=\s*(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"(?:[^"\\]|\\.)*")$/;
  const last = parameters.length - 1;
  const isInvalid = parameters.some((one, at) => !isParameter.test(one) && !(one === '' && at === last));
  return isInvalid ? 'mime: invalid media parameter' : undefined;
}

/**
 * Reports whether a response is text that a message may show. A response without a type is. (client-go isTextResponse)
 */
export const isTextType = (header = ''): boolean => header === '' || (/^\s*text\//i.test(header) && mediaTypeProblem(header) === undefined);
