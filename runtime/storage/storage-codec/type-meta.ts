/** The members that name the kind of an object. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The number of bytes searched: Kubernetes and this server write the two members first. */
const headLength = 512;

const kindFirst = /^\{"kind":"([^"\\]+)","apiVersion":"([^"\\]+)"[,}]/;
const versionFirst = /^\{"apiVersion":"([^"\\]+)","kind":"([^"\\]+)"[,}]/;

/**
 * Returns undefined unless the bytes are JSON that begins with kind and apiVersion, in any order. Decodes nothing else.
 */
export function typeMetaOf(json: Uint8Array): TypeMeta | undefined {
  const length = Math.min(headLength, json.byteLength);
  const head = Buffer.from(json.buffer, json.byteOffset, length).toString('latin1');
  const [, kind, apiVersion] = kindFirst.exec(head) ?? [];
  if (kind !== undefined && apiVersion !== undefined) return { kind, apiVersion };
  const [, version, kindAfter] = versionFirst.exec(head) ?? [];
  return version === undefined || kindAfter === undefined ? undefined : { apiVersion: version, kind: kindAfter };
}
