import { defined } from '../machinery/json/defined.ts';

/** URLs as Go's net/url parses them. Node.js' WHATWG parser differs. */

export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** `user:password` in its original form; undefined without "@". */
  readonly user?: string;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

const badEscape = /%(?![0-9a-fA-F]{2})/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\x00-\x1f\x7f]/;

/** Reports whether net/url.ParseRequestURI accepts the text. */
export function isRequestUri(text: string): boolean {
  const url = parseGoUrl(text, true);
  return typeof url !== 'string';
}

/** Returns the URL, or Go's error. `request` forbids a fragment and requires an absolute URL or a rooted path. */
export function parseGoUrl(text: string, request = false): GoUrl | string {
  if (request) return parse(text, true, '');
  const at = text.indexOf('#');
  if (at < 0) return parse(text, false, '');
  const fragment = text.slice(at + 1);
  if (badEscape.test(fragment)) return invalidEscape(fragment);
  return parse(text.slice(0, at), false, fragment);
}

function parse(text: string, request: boolean, fragment: string): GoUrl | string {
  if (control.test(text)) return 'net/url: invalid control character in URL';
  if (text === '' && request) return 'empty url';
  const none = { scheme: '', opaque: '', host: '', query: '', fragment };
  if (text === '*') return none;
  if (text.startsWith(':')) return 'missing protocol scheme';
  const named = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = named?.[1]?.toLowerCase() ?? '';
  const afterScheme = named ? text.slice(named[0].length) : text;
  const mark = afterScheme.indexOf('?');
  const query = mark < 0 ? '' : afterScheme.slice(mark + 1);
  let rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, opaque: rest, query };
    if (request) return 'invalid URI for request';
    const [segment] = rest.split('/', 1);
    if (segment?.includes(':')) return 'first path segment in URL cannot contain colon';
  }
  let user: string | undefined;
  let host = '';
  if ((scheme !== '' || (!request && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const end = rest.indexOf('/', 2);
    const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
    rest = end < 0 ? '' : rest.slice(end);
    const sign = authority.lastIndexOf('@');
    if (sign >= 0) {
      user = authority.slice(0, sign);
      if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
      if (badEscape.test(user)) return invalidEscape(user);
    }
    host = authority.slice(sign + 1);
    const problem = hostProblem(host);
    if (problem) return problem;
  }
  if (badEscape.test(rest)) return invalidEscape(rest);
  return { ...none, scheme, host, query, ...defined({ user }) };
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    if (!/^(?::[0-9]*)?$/.test(host.slice(end + 1))) {
      return `invalid port ${JSON.stringify(host.slice(end + 1))} after host`;
    }
    const zone = host.indexOf('%25');
    const address = zone >= 0 && zone < end ? host.slice(0, zone) : host;
    return badCharacter(address);
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^:[0-9]*$/.test(host.slice(colon))) {
    return `invalid port ${JSON.stringify(host.slice(colon))} after host`;
  }
  return badCharacter(host);
}

/** Returns an invalid character of a host. Escapes may encode only bytes beyond ASCII. */
function badCharacter(host: string): string | undefined {
  const escaped = /%(?![89a-fA-F][0-9a-fA-F])/.exec(host);
  if (escaped) return invalidEscape(host.slice(escaped.index));
  const bad = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\x80-\u{10ffff}]/u.exec(host);
  return bad ? `invalid character ${JSON.stringify(bad[0])} in host name` : undefined;
}

function invalidEscape(text: string): string {
  const at = text.search(badEscape);
  return `invalid URL escape ${JSON.stringify(text.slice(Math.max(at, 0), Math.max(at, 0) + 3))}`;
}
