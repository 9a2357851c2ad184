import { isJsonObject } from '../../../machinery/json/values.ts';
import type { Json } from '../../../machinery/object.ts';

/** Segments of letters, digits and dashes, with dots in between, or one at the beginning. */
const documentPath = /^\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\/\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)*$/;
const hash = /^\?hash=[A-Za-z0-9]{1,128}$/;

/**
 * The URLs of the OpenAPI v3 documents of another server by their paths, as its /openapi/v3 has them. Clients send their
 * credentials wherever these URLs lead, so each is that of its path on this server; of what the other server says, only the hash
 * counts. Paths that are none are left out. (kube-openapi pkg/handler3 OpenAPIV3Discovery)
 *
 * @throws Error if it has no paths, or a path no URL
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

/** Without a hash, a document is not kept by clients. */
function localUrl(path: string, url: string): string {
  const local = `/openapi/v3/${path}`;
  return url.startsWith(local) && hash.test(url.slice(local.length)) ? url : local;
}

/** The name of the APIService of a document's group-version; undefined for documents of anything else. */
export function ownerOf(path: string): string | undefined {
  const [prefix, group, version, ...more] = path.split('/');
  if (more.length > 0) return undefined;
  if (prefix === 'api') return version === undefined && group !== undefined ? `${group}.` : undefined;
  return prefix === 'apis' && version !== undefined ? `${version}.${group}` : undefined;
}
