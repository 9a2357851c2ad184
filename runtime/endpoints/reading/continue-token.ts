import { badRequest } from '../../machinery/status.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** Where a list goes on: after the object at this place, at this revision; -1 is whatever is newest. */
export interface ContinueToken {
  readonly revision: number;
  readonly after: { readonly namespace: string; readonly name: string };
}

/** Opaque to clients: JSON in unpadded URL-safe base64, as upstream's. (apiserver pkg/storage/continue.go) */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const start = `${after.namespace === '' ? '' : `${after.namespace}/`}${after.name}\0`;
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start })).toString('base64url');
}

/**
 * @param namespace of the list that goes on; a token of another one is refused
 * @throws StatusError 400
 */
export function decodeContinue(text: string, namespaced: boolean, namespace: string): ContinueToken {
  const token = parse(text);
  if (token.v !== tokenVersion) throw notValid(`server does not recognize this encoded version "${String(token.v)}"`);
  if (typeof token.start !== 'string' || token.start === '')
    throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  const revision = token.rv;
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || revision === 0 || revision < -1) {
    throw notValid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  const parts = token.start.replace(/\0$/, '').split('/');
  const place = namespaced ? parts.length === 2 && (namespace === '' || parts[0] === namespace) : parts.length === 1;
  if (!place || parts.some((part) => part === '')) throw notValid(`invalid path: ${token.start.replace(/\0$/, '')}`);
  const [name, ...before] = parts.reverse();
  return { revision, after: { namespace: before[0] ?? '', name } };
}

function parse(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // told apart from other tokens below
  }
  throw notValid('illegal base64 data or JSON');
}

const notValid = (why: string) => badRequest(`continue key is not valid: ${why}`);
