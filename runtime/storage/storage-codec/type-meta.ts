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
  const kind = kindFirst.exec(head);
  if (kind !== null) return { kind: kind[1], apiVersion: kind[2] };
  const version = versionFirst.exec(head);
  return version === null ? undefined : { apiVersion: version[1], kind: version[2] };
}
