import { spend } from '../../machinery/event-loop/budget.ts';
import { quote } from '../../machinery/go/quote.ts';

/** A URL as parsed by Go's net/url, without normalization. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly userinfo: string | undefined;
  /** The host, including the port. */
  readonly host: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
  readonly opaque: string | undefined;
}

/** A URL that does not parse. The message is Go's. */
export class UrlError extends Error {
  readonly isUrlError = true;
}

export function isUrlError(error: unknown): error is UrlError {
  return (error as UrlError | undefined)?.isUrlError === true;
}

function fail(url: string, reason: string): never {
  throw new UrlError(`parse ${quote(url)}: ${reason}`);
}

function checkEscapes(url: string, text: string): void {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/u.exec(text);
  if (bad) fail(url, `invalid URL escape ${quote(bad[0])}`);
}

/** Parses the URL of a request: an absolute URI or an absolute path. A fragment belongs to the path. (url.ParseRequestURI) */
export function parseRequestUri(text: string): ParsedUrl {
  return parse(text, text, true);
}

/**
 * Parses any URL.
 *
 * @throws UrlError
 */
export function parseUrl(text: string): ParsedUrl {
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? undefined : text.slice(hash + 1);
  const parsed = parse(text, hash < 0 ? text : text.slice(0, hash), false);
  if (fragment !== undefined) checkEscapes(text, fragment);
  return fragment === undefined || fragment === '' ? parsed : { ...parsed, fragment };
}

function parse(url: string, text: string, isRequestUri: boolean): ParsedUrl {
  spend(text.length * 0.1);
  if (/\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) fail(url, 'net/url: invalid control character in URL');
  if (text === '' && isRequestUri) fail(url, 'empty url');
  const empty = { scheme: '', userinfo: undefined, host: '', query: undefined, fragment: undefined, opaque: undefined };
  if (text === '*') return { ...empty, path: '*' };
  const { scheme, rest } = splitScheme(url, text);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? undefined : rest.slice(mark + 1);
  let path = mark < 0 ? rest : rest.slice(0, mark);
  if (!path.startsWith('/')) {
    if (scheme !== '') return { ...empty, scheme, path: '', query, opaque: path };
    if (isRequestUri) fail(url, 'invalid URI for request');
    const colon = path.indexOf(':');
    const slash = path.indexOf('/');
    if (colon >= 0 && (slash < 0 || colon < slash)) fail(url, 'first path segment in URL cannot contain colon');
  }
  let host = '';
  let userinfo: string | undefined;
  if ((scheme !== '' || (!isRequestUri && !path.startsWith('///'))) && path.startsWith('//')) {
    const end = path.indexOf('/', 2);
    const authority = end < 0 ? path.slice(2) : path.slice(2, end);
    path = end < 0 ? '' : path.slice(end);
    ({ host, userinfo } = parseAuthority(url, authority));
  }
  checkEscapes(url, path);
  return { ...empty, scheme, userinfo, host, path, query };
}

function splitScheme(url: string, text: string): { scheme: string; rest: string } {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = match?.[1];
  if (match && scheme !== undefined) return { scheme: scheme.toLowerCase(), rest: text.slice(match[0].length) };
  if (text.startsWith(':')) fail(url, 'missing protocol scheme');
  return { scheme: '', rest: text };
}

function parseAuthority(url: string, authority: string): { host: string; userinfo: string | undefined } {
  const at = authority.lastIndexOf('@');
  const userinfo = at < 0 ? undefined : authority.slice(0, at);
  const host = authority.slice(at + 1);
  if (userinfo !== undefined && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) {
    fail(url, 'net/url: invalid userinfo');
  }
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) fail(url, "missing ']' in host");
    checkPort(url, host.slice(close + 1));
  } else {
    const colon = host.lastIndexOf(':');
    if (colon >= 0) checkPort(url, host.slice(colon));
  }
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/u.exec(host);
  if (bad) fail(url, `invalid character ${quote(bad[0])} in host name`);
  const sequence = /%(?:[0-7][0-9A-Fa-f]|.{0,2})/u.exec(host.replace(/%25[^\]]*\]/, ''));
  if (sequence && !/%[89a-fA-F][0-9A-Fa-f]/.test(sequence[0])) fail(url, `invalid URL escape ${quote(sequence[0])}`);
  return { host, userinfo };
}

function checkPort(url: string, port: string): void {
  if (port !== '' && !/^:[0-9]*$/.test(port)) fail(url, `invalid port ${quote(port)} after host`);
}

/** Returns the host without port and brackets. */
export function hostname({ host }: ParsedUrl): string {
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  return host.replace(/:[0-9]*$/, '');
}

export function port({ host }: ParsedUrl): string {
  return /:([0-9]*)$/.exec(host.replace(/^\[.*\]/, ''))?.[1] ?? '';
}

/** Returns the path with special characters escaped. Existing escapes are kept. */
export function escapedPath({ path }: ParsedUrl): string {
  if (path === '*') return '*';
  spend(path.length * 0.1);
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (char) => encodeURIComponent(char.replace(/\p{Surrogate}/u, '\ufffd')));
}

/** Returns the values of each query parameter, in order, without malformed pairs. */
export function queryValues({ query }: ParsedUrl): Map<string, string[]> {
  spend((query ?? '').length * 0.3);
  const values = new Map<string, string[]>();
  for (const pair of (query ?? '').split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (key === undefined || value === undefined) continue;
    const existing = values.get(key);
    if (existing) existing.push(value);
    else values.set(key, [value]);
  }
  return values;
}

function decode(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  const bytes = Buffer.from(text.replaceAll('+', ' '), 'utf8').toString('latin1');
  const decoded = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1').toString('utf8');
}

/** Returns the URL as text for comparisons. */
export function urlText(url: ParsedUrl): string {
  const { scheme, userinfo, host, query, fragment, opaque } = url;
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== undefined) text += opaque;
  else {
    if (host !== '' || userinfo !== undefined) text += `//${userinfo === undefined ? '' : `${userinfo}@`}${host}`;
    text += escapedPath(url);
  }
  if (query !== undefined) text += `?${query}`;
  return fragment === undefined ? text : `${text}#${fragment}`;
}
