import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';

/** Segments of letters, digits and dashes, with dots between them or one dot before them. */
const documentPath = /^\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\/\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)*$/;
const hash = /^\?hash=[A-Za-z0-9]{1,128}$/;

/**
 * Decodes the index of another server's OpenAPI v3 documents: their URLs by path. Clients send their credentials to
 * these URLs, so each URL is that of its path on this server, and only the hash is the other server's. Malformed paths
 * are left out. (kube-openapi pkg/handler3 OpenAPIV3Discovery)
 *
 * @throws Error for an index without paths, or a path without a URL
 */
export function decodeDocumentIndex(index: Json): Map<string, string> {
  const paths = isJsonObject(index) ? index.paths : undefined;
  if (!isJsonObject(paths)) throw new Error('/openapi/v3 has no paths');
  const urls = new Map<string, string>();
  for (const [path, entry] of Object.entries(paths)) {
    const url = isJsonObject(entry) ? entry.serverRelativeURL : undefined;
    if (typeof url !== 'string') throw new Error(`/openapi/v3 has no URL for ${path}`);
    if (documentPath.test(path)) urls.set(path, localUrl(path, url));
  }
  return urls;
}

/** Returns the URL of a document on this server. Clients do not cache a document without a hash. */
function localUrl(path: string, url: string): string {
  const local = `/openapi/v3/${path}`;
  return url.startsWith(local) && hash.test(url.slice(local.length)) ? url : local;
}

/** Returns the name of the APIService that a document's group-version has; undefined for other documents. */
export function ownerOf(path: string): string | undefined {
  const [prefix, group, version, ...more] = path.split('/');
  if (more.length > 0) return undefined;
  if (prefix === 'api') return version === undefined && group !== undefined ? `${group}.` : undefined;
  return prefix === 'apis' && version !== undefined ? `${version}.${group}` : undefined;
}
