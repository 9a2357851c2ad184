import { parseAddress } from '../scalars/netip.ts';

/** A parsed URL. Each character is one byte. (net/url URL) */
export interface GoURL {
  scheme: string;
  /** The text after the scheme, if it does not begin with a slash. */
  readonly opaque: string;
  /** As written. */
  readonly userinfo: string | undefined;
  /** Decoded, with its port. */
  host: string;
  /** Decoded. */
  path: string;
  /** As written. */
  readonly rawPath: string;
  /** With its `?`. */
  readonly query: string;
  /** As written, without its `#`. */
  readonly fragment: string;
}

const unreserved = 'A-Za-z0-9\\-_.~';
/** Characters that Go escapes. (url.shouldEscape) */
const notInPath = new RegExp(`[^${unreserved}$&+,/:;=@]`, 'g');
const notInFragment = new RegExp(`[^${unreserved}$&+,/:;=@?!()*]`, 'g');
const notInHost = new RegExp(`[^${unreserved}!$&'()*+,;=:[\\]<>"]`, 'g');
/** Text that may stay as it was written. (url.validEncoded) */
const validPath = new RegExp(`^[${unreserved}/!$&'()*+,;=:@[\\]%]*$`);
const validFragment = new RegExp(`^[${unreserved}/?!$&'()*+,;=:@[\\]%]*$`);
const validUserinfo = new RegExp(`^[${unreserved}:!$&'()*+,;=%@]*$`);

/** Parses a relative or absolute reference. Returns undefined for invalid text. (url.Parse) */
export function parseGoURL(text: string): GoURL | undefined {
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  let rest = hash < 0 ? text : text.slice(0, hash);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
  if (/[\x00-\x1f\x7f]/.test(rest) || percentDecode(fragment) === undefined || rest.startsWith(':')) return undefined;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(rest)?.[1] ?? '';
  if (scheme !== '') rest = rest.slice(scheme.length + 1);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark);
  if (mark >= 0) rest = rest.slice(0, mark);
  const parts = { scheme: scheme.toLowerCase(), opaque: '', userinfo: undefined, host: '', query, fragment };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...parts, opaque: rest, path: '', rawPath: '' };
    if (rest.split('/', 1)[0]?.includes(':')) return undefined;
  }
  let authority: { userinfo: string | undefined; host: string } | undefined = { userinfo: undefined, host: '' };
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(rest.slice(2, slash < 0 ? undefined : slash));
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  const path = percentDecode(rest);
  if (authority === undefined || path === undefined) return undefined;
  return { ...parts, ...authority, path, rawPath: rest };
}

/** (URL.String) */
export function formatGoURL({ scheme, opaque, userinfo, host, query, fragment, ...url }: GoURL): string {
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') text += opaque;
  else {
    const path = url.path === '*' ? '*' : escaped(url.path, url.rawPath, validPath, notInPath);
    const hasAuthority = host !== '' || userinfo !== undefined;
    if (hasAuthority) {
      text += `//${userinfo === undefined ? '' : `${userinfo}@`}${percentEncode(host, notInHost)}`;
      if (path !== '' && !path.startsWith('/')) text += '/';
    }
    if (text === '' && path.split('/', 1)[0]?.includes(':')) text = './';
    text += path;
  }
  const decoded = percentDecode(fragment) as string;
  return `${text}${query}${fragment === '' ? '' : `#${escaped(decoded, fragment, validFragment, notInFragment)}`}`;
}

/** (URL.EscapedPath) */
function escaped(decoded: string, raw: string, valid: RegExp, unsafe: RegExp): string {
  return valid.test(raw) && percentDecode(raw) === decoded ? raw : percentEncode(decoded, unsafe);
}

const percentEncode = (text: string, unsafe: RegExp): string =>
  text.replace(unsafe, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Decodes each escape to one byte. */
function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  return text.replace(/%(..)/g, (_escape, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function parseAuthority(text: string): { userinfo: string | undefined; host: string } | undefined {
  const at = text.lastIndexOf('@');
  const userinfo = at < 0 ? undefined : text.slice(0, at);
  const host = parseHost(text.slice(at + 1));
  const isValid = userinfo === undefined || (validUserinfo.test(userinfo) && percentDecode(userinfo) !== undefined);
  return host === undefined || !isValid ? undefined : { userinfo, host };
}

/** Only bytes beyond ASCII may be escaped in a host. */
function parseHost(text: string): string | undefined {
  const [, ip, afterIp, name = '', port] = /^(?:\[([^\]]*)\](.*)|([^:[]*)(.*))$/.exec(text) ?? [];
  if (!/^(?::\d*)?$/.test(afterIp ?? port ?? '-')) return undefined;
  if (ip !== undefined) return isIPv6(ip) ? text : undefined;
  if (/%[0-7]/.test(name)) return undefined;
  const decoded = percentDecode(name);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
  const isValid = decoded !== undefined && !/[\x00-\x20#%/?@\\^`{|}\x7f]/.test(decoded);
  return isValid ? decoded + port : undefined;
}

function isIPv6(text: string): boolean {
  try {
    return parseAddress(text.replace(/%25.*$/, '')).version === 6;
  } catch {
    return false;
  }
}

/** Resolves a reference relative to a base URL. (URL.ResolveReference) */
export function resolveGoURL(base: GoURL, reference: GoURL): GoURL {
  const scheme = reference.scheme || base.scheme;
  const resolved = { ...reference, scheme };
  if (reference.scheme !== '' || reference.host !== '' || reference.userinfo !== undefined) {
    return reference.opaque === '' ? withPath(resolved, resolvedPath(writtenPath(reference), '')) : resolved;
  }
  const { userinfo, host } = base;
  if (reference.opaque !== '') return { ...resolved, userinfo: undefined, host: '', path: '', rawPath: '' };
  const isSamePage = reference.path === '' && reference.query === '';
  const query = isSamePage ? base.query : reference.query;
  const fragment = isSamePage && reference.fragment === '' ? base.fragment : reference.fragment;
  if (reference.path === '' && base.opaque !== '') return { ...base, scheme, query, fragment };
  return withPath({ ...resolved, userinfo, host, query, fragment }, resolvedPath(writtenPath(base), writtenPath(reference)));
}

/** (URL.EscapedPath) */
const writtenPath = ({ path, rawPath }: GoURL): string => escaped(path, rawPath, validPath, notInPath);

const withPath = (url: GoURL, rawPath: string): GoURL => ({ ...url, rawPath, path: percentDecode(rawPath) ?? rawPath });

/** Returns the path without `.` and `..`. (resolvePath) */
function resolvedPath(base: string, reference: string): string {
  let full = reference;
  if (reference === '') full = base;
  else if (!reference.startsWith('/')) full = base.slice(0, base.lastIndexOf('/') + 1) + reference;
  if (full === '') return '';
  const kept: string[] = [];
  let last = '';
  for (last of full.replace(/^\//, '').split('/')) {
    if (last === '..') kept.pop();
    else if (last !== '.') kept.push(last);
  }
  const end = last === '.' || last === '..' ? '/' : '';
  const path = `/${kept.join('/')}${end}`;
  return path.length > 1 && path.startsWith('//') && !full.startsWith('//') ? path.slice(1) : path;
}
