import { badRequest } from '../machinery/errors/status.ts';
import type { FieldSelector } from '../machinery/selectors/field-selector.ts';
import { isSelectorError } from '../machinery/selectors/selector-error.ts';
import { boolParameter, isParameterError, parseInt64 } from './parameters.ts';
import { type Query, queryValue } from './query-string.ts';
import { fieldSelectorOf, labelSelectorOf } from './selectors.ts';

/**
 * The facts in the method and the URL of a request, whether or not the resource exists. (apiserver
 * pkg/endpoints/request/requestinfo.go)
 */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** The decoded path. */
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection, proxy; the method in lower case for non-resource requests. */
  readonly verb: string;
  /** `api` or `apis`; "" for non-resource requests outside them. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Whether the path is that of a resource in a namespace, whose name may be empty, as `/api/v1/namespaces//pods`. */
  readonly hasNamespace: boolean;
  /** The plural name, as `pods`. */
  readonly resource: string;
  /** The segment after the name, as `status`. */
  readonly subresource: string;
  readonly name: string;
  /** The segments from the resource on: resource, name, subresource, and the rest. */
  readonly parts: readonly string[];
  /** The unparsed selectors of list, watch and deletecollection requests, for authorizers; "" for other verbs. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
  /** True for the deprecated /api/v1/watch/... form. */
  readonly verbInPath: boolean;
}

const verbsInPath: ReadonlySet<string> = new Set(['proxy', 'watch']);
/** Segments after the name of a namespace that are subresources of the namespace, not resources in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);
const verbsWithSelectors: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
const noParts: readonly string[] = [];

const methodVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/**
 * @param path decoded, as `/api/v1/namespaces/x/pods`
 * @throws StatusError 400 for `/api/v1/watch` with nothing after it
 */
export function parseRequestInfo(method: string, path: string, query: Query): RequestInfo {
  const all = splitPath(path);
  const prefix = all[0];
  if (all.length < 3 || (prefix !== 'api' && prefix !== 'apis')) return nonResource(method, path, '', '');
  let group = '';
  let at = 1;
  if (prefix === 'apis') {
    if (all.length < 4) return nonResource(method, path, prefix, '');
    group = all[at++] ?? '';
  }
  const version = all[at++] ?? '';

  let verb = methodVerbs.get(method) ?? '';
  const verbInPath = verbsInPath.has(all[at] ?? '');
  if (verbInPath) {
    if (at + 1 === all.length) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
    verb = all[at++] ?? '';
  }

  let namespace = '';
  let hasNamespace = false;
  if (all[at] === 'namespaces' && all.length > at + 1) {
    namespace = all[at + 1] ?? '';
    hasNamespace = all.length > at + 2 && !namespaceSubresources.has(all[at + 2] ?? '');
    if (hasNamespace) at += 2;
  }

  const parts = all.slice(at);
  const [resource = '', second = '', third = ''] = parts;
  let name = second;
  const subresource = verb === 'proxy' ? '' : third;

  if (name === '' && verb === 'get') {
    const options = listOptionsOf(query);
    verb = options.watch ? 'watch' : 'list';
    const exact = options.fields?.requiresExactMatch('metadata.name');
    if (exact !== undefined && isPathSegmentName(exact)) name = exact;
  }
  if (name === '' && verb === 'delete') verb = 'deletecollection';

  const selects = !verbInPath && query.size > 0 && verbsWithSelectors.has(verb);
  return {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix: prefix,
    group,
    version,
    namespace,
    hasNamespace,
    resource,
    subresource,
    name,
    parts,
    fieldSelector: selects ? (queryValue(query, 'fieldSelector') ?? '') : '',
    labelSelector: selects ? (queryValue(query, 'labelSelector') ?? '') : '',
    verbInPath,
  };
}

function nonResource(method: string, path: string, apiPrefix: string, group: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix,
    group,
    version: '',
    namespace: '',
    hasNamespace: false,
    resource: '',
    subresource: '',
    name: '',
    parts: noParts,
    fieldSelector: '',
    labelSelector: '',
    verbInPath: false,
  };
}

/** Reads the list options of a get without a name. If one is invalid, only `watch` counts, as upstream. */
function listOptionsOf(query: Query): { watch: boolean; fields?: FieldSelector } {
  if (query.size === 0) return { watch: false };
  const watch = boolParameter(query, 'watch') ?? false;
  try {
    for (const name of ['timeoutSeconds', 'limit']) {
      const value = queryValue(query, name);
      if (value !== undefined) parseInt64(value);
    }
    labelSelectorOf(query);
    return { watch, fields: fieldSelectorOf(query) };
  } catch (error) {
    if (isSelectorError(error) || isParameterError(error)) return { watch };
    throw error;
  }
}

function isPathSegmentName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('%');
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (start < end && path.charCodeAt(start) === 0x2f) start++;
  while (end > start && path.charCodeAt(end - 1) === 0x2f) end--;
  return start === end ? [] : path.slice(start, end).split('/');
}

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Reports whether a request changes nothing. Such requests have their own limit and metrics. */
export function isReadOnly(info: RequestInfo): boolean {
  return readOnlyVerbs.has(info.verb);
}

const longRunningSubresources: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/**
 * Reports whether a request may stay open as long as the client wants. Such requests have no deadline and hold no seat.
 */
export function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return info.path.startsWith('/debug/pprof/');
  return info.verb === 'watch' || info.verb === 'proxy' || longRunningSubresources.has(info.subresource);
}
