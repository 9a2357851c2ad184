import { quote } from '../../../machinery/go/quote.ts';

/** The end of a response's body: none, the last chunk, a length, or the close of the connection. */
export type Framing =
  | { readonly kind: 'none' | 'chunks' | 'close' }
  /** A body of `length` bytes. */
  | { readonly kind: 'length'; readonly length: number };

/** The head of a response, as Go accepts it. */
export interface ResponseHead {
  readonly status: number;
  /** The status line and the headers in a form that Node's parser accepts. One character per byte. */
  readonly text: string;
  readonly framing: Framing;
}

/** The maximum header lines of a response, which are read in one turn of the event loop. (Go: no limit) */
const maxHeaderLines = 10_000;

/** Headers by canonical name. */
type Headers = Map<string, string[]>;

/** Header names. Go also reads names with spaces, but does not pass them on. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const nearToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z ]+$/;
/** Control characters except the tab. */
const control = /[^\t -~\x80-\xff]/;

/**
 * Reads the status line and headers of a response as Go does. Go is more tolerant than Node: it accepts `HTTP/1.2 200
 * OK` and the header `A b: c`. (http.ReadResponse, textproto.ReadMIMEHeader, http.readTransfer)
 *
 * @param text the lines with their ends, including the empty last line
 * @param method of the request
 * @returns an error message if the head is malformed
 */
export function readResponseHead(text: string, method: string): ResponseHead | string {
  const lines = readLines(text);
  if (typeof lines === 'string') return lines;
  const { version, code, reason, headers } = lines;
  const isOld = version < 'HTTP/1.1';
  if (headers.get('Pragma')?.[0] === 'no-cache' && !headers.has('Cache-Control')) headers.set('Cache-Control', ['no-cache']);
  const status = Number(code);
  const framing = readFraming(headers, { method, status, isOld });
  if (typeof framing === 'string') return framing;
  return { status, framing, text: `${isOld ? 'HTTP/1.0' : 'HTTP/1.1'} ${code}${reason || ' '}\r\n${textOf(headers)}\r\n` };
}

/** Returns the error of an incomplete head's lines; undefined if the lines are valid so far. */
export function problemOfLines(text: string): string | undefined {
  const lines = readLines(`${text}\n\n`);
  return typeof lines === 'string' ? lines : undefined;
}

interface Lines {
  readonly version: string;
  readonly code: string;
  /** Includes the space before it. */
  readonly reason: string;
  readonly headers: Headers;
}

function readLines(text: string): Lines | string {
  const [first = '', ...lines] = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const version = first.split(' ', 1).join();
  if (version === first) return `malformed HTTP response ${quote(first)}`;
  const rest = first.slice(version.length + 1).replace(/^ +/, '');
  const code = rest.split(' ', 1).join();
  if (!/^\d{3}$/.test(code)) return `malformed HTTP status code ${quote(code)}`;
  if (!/^HTTP\/\d\.\d$/.test(version)) return `malformed HTTP version ${quote(version)}`;
  const end = lines.indexOf('');
  if (end > maxHeaderLines) return `more than ${maxHeaderLines} header lines`;
  const headers = readHeaders(lines.slice(0, end));
  if (typeof headers === 'string') return headers;
  return { version, code, headers, reason: rest.slice(code.length).replace(new RegExp(control, 'g'), ' ') };
}

function textOf(headers: Headers): string {
  const sent = [...headers].filter(([name]) => token.test(name));
  return sent.flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`)).join('');
}

function readHeaders(lines: readonly string[]): Headers | string {
  const headers: Headers = new Map();
  if (/^[ \t]/.test(lines[0] ?? '')) return `malformed MIME header initial line: ${quote((lines[0] ?? '').slice(0, maxQuoted))}`;
  for (let at = 0; at < lines.length; ) {
    let line = trim(lines[at] ?? '');
    if (!line.includes(':')) return `malformed MIME header: missing colon: ${quote(lines[at] ?? '')}`;
    for (let next = lines[++at]; next !== undefined && /^[ \t]/.test(next); next = lines[++at]) line += ` ${trim(next)}`;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1);
    if (!nearToken.test(name) || control.test(value)) return `malformed MIME header line: ${quote(line)}`;
    const key = canonical(name);
    const values = headers.get(key);
    if (values === undefined) headers.set(key, [trimStart(value)]);
    else values.push(trimStart(value));
  }
  return headers;
}

/** The maximum number of bytes in an error message about an indented first line. */
const maxQuoted = 80;

const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t';

const trimStart = (line: string): string => line.replace(/^[ \t]+/, '');

/** Removes blanks at the end. A pattern would look through each run of blanks in the line once for each blank. */
export function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line[end - 1])) end--;
  return line.slice(0, end);
}

const trim = (line: string): string => trimEnd(trimStart(line));

/** Returns `Content-Length` for `content-length`. Keeps a name with a space. (textproto.CanonicalMIMEHeaderKey) */
const canonical = (name: string): string =>
  name.includes(' ') ? name : name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());

interface Facts {
  readonly method: string;
  readonly status: number;
  readonly isOld: boolean;
}

/**
 * Returns the framing, and makes Transfer-Encoding and Content-Length agree with it.
 * (transferReader.parseTransferEncoding, fixLength)
 */
function readFraming(headers: Headers, { method, status, isOld }: Facts): Framing | string {
  const encodings = headers.get('Transfer-Encoding');
  headers.delete('Transfer-Encoding');
  const isChunked = encodings !== undefined && !isOld;
  if (isChunked) {
    const [encoding = ''] = encodings;
    if (encodings.length > 1) return `too many transfer encodings: [${encodings.map(quote).join(' ')}]`;
    if (encoding.toLowerCase() !== 'chunked') return `unsupported transfer encoding: ${quote(encoding)}`;
  }
  const length = readLength(headers);
  if (typeof length === 'string') return length;
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  if (isChunked) headers.delete('Content-Length');
  if (hasNoBody) return { kind: 'none' };
  if (isChunked) headers.set('Transfer-Encoding', ['chunked']);
  if (isChunked) return { kind: 'chunks' };
  return length === undefined ? { kind: 'close' } : { kind: 'length', length };
}

function readLength(headers: Headers): number | undefined | string {
  const lengths = headers.get('Content-Length');
  if (lengths === undefined) return undefined;
  const text = trim(lengths[0] ?? '');
  if (lengths.some((each) => trim(each) !== text)) {
    return `http: message cannot contain multiple Content-Length headers; got [${lengths.map(quote).join(' ')}]`;
  }
  headers.set('Content-Length', [text]);
  if (text === '') return 'invalid empty Content-Length ""';
  return /^\d+$/.test(text) && BigInt(text) < 2n ** 63n ? Number(text) : `bad Content-Length ${quote(text)}`;
}
