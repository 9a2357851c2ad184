import { declare, type FunctionDecl, global, type Library, member } from '../checker/declarations.ts';
import { boolType, listOf, mapOf, stringType, structType } from '../types/type.ts';
import { ValueList } from '../values/list.ts';
import { ValueMap } from '../values/map.ts';
import { CelError, type Value } from '../values/value.ts';
import * as urls from './url.ts';
import { isUrlError, type ParsedUrl, parseRequestUri, parseUrl, urlText } from './url.ts';

export const urlType = structType('kubernetes.URL');

class UrlValue {
  readonly tag = 'opaque';
  readonly type = urlType;
  readonly url: ParsedUrl;

  constructor(url: ParsedUrl) {
    this.url = url;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof UrlValue ? urlText(this.url) === urlText(other.url) : undefined;
  }
}

/** Returns why a request URI is invalid; undefined if it is valid. */
export function requestUriProblem(text: string): string | undefined {
  try {
    parseRequestUri(text);
    return undefined;
  } catch (error) {
    if (isUrlError(error)) return error.message;
    throw error;
  }
}

function toUrl(text: Value): Value {
  const problem = requestUriProblem(text as string);
  if (problem === undefined) {
    try {
      return new UrlValue(parseUrl(text as string));
    } catch (error) {
      if (!isUrlError(error)) throw error;
      return new CelError(`URL parse error during conversion from string: ${error.message}`);
    }
  }
  return new CelError(`URL parse error during conversion from string: ${problem}`);
}

function part(name: string, id: string, of: (url: ParsedUrl) => string): FunctionDecl {
  return declare(name, [member(id, [urlType], stringType, (value) => of((value as UrlValue).url))]);
}

/** url, isURL and the parts of a URL. (apiserver pkg/cel/library/urls.go) */
export const urlsLibrary: Library = {
  name: 'kubernetes.urls',
  functions: [
    declare('url', [global('string_to_url', [stringType], urlType, toUrl)]),
    declare('isURL', [global('is_url_string', [stringType], boolType, (text) => requestUriProblem(text as string) === undefined)]),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', urls.hostname),
    part('getPort', 'url_get_port', urls.port),
    part('getEscapedPath', 'url_get_escaped_path', urls.escapedPath),
    declare('getQuery', [
      member('url_get_query', [urlType], mapOf(stringType, listOf(stringType)), (value) =>
        ValueMap.of([...urls.queryValues((value as UrlValue).url)].map(([key, list]) => [key, new ValueList(list)])),
      ),
    ]),
  ],
};
