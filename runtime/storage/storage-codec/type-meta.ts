/** The members that name the kind of an object. */
export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** How many bytes are looked at: the two members are first in what Kubernetes and this server write. */
const headLength = 512;

const kindFirst = /^\{"kind":"([^"\\]+)","apiVersion":"([^"\\]+)"[,}]/;
const versionFirst = /^\{"apiVersion":"([^"\\]+)","kind":"([^"\\]+)"[,}]/;

/** Undefined if the bytes are no JSON that begins with kind and apiVersion, in any order. Decodes nothing else. */
export function typeMetaOf(json: Uint8Array): TypeMeta | undefined {
  const length = Math.min(headLength, json.byteLength);
  const head = Buffer.from(json.buffer, json.byteOffset, length).toString('latin1');
  const [, kind, apiVersion] = kindFirst.exec(head) ?? [];
  if (kind !== undefined && apiVersion !== undefined) return { kind, apiVersion };
  const [, version, kindAfter] = versionFirst.exec(head) ?? [];
  return version === undefined || kindAfter === undefined ? undefined : { apiVersion: version, kind: kindAfter };
}
