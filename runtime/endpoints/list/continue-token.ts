import { decodeJson } from '../../codec/json.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { formatGroupResource, type GroupResource } from '../../machinery/gvk.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** The position of a list: after this object, at this revision, or at the latest revision if it is -1. */
export interface ContinueToken {
  readonly revision: number;
  readonly after: { readonly namespace: string; readonly name: string };
}

/** The list to which a token belongs. */
export interface ContinuedList extends GroupResource {
  readonly namespaced: boolean;
  /** "" for all namespaces. */
  readonly namespace: string;
}

interface EncodedToken {
  readonly v?: unknown;
  readonly rv?: unknown;
  readonly start?: unknown;
  /** The list of the token. Upstream's tokens have no such member. */
  readonly of?: unknown;
}

/** Encodes a token as upstream does: JSON in unpadded URL-safe base64. (apiserver pkg/storage/continue.go) */
export function encodeContinue({ revision, after }: ContinueToken, list: ContinuedList): string {
  const inside = list.namespace === '' && after.namespace !== '' ? `${after.namespace}/` : '';
  const token = { v: tokenVersion, rv: revision, start: `${inside}${after.name}\0`, of: nameOf(list) };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** @throws StatusError 400 if the text is no token, or the token of another list */
export function decodeContinue(text: string, list: ContinuedList): ContinueToken {
  const token = parse(text);
  if (token.v !== tokenVersion) throw invalidToken(`: server does not recognize this encoded version ${String(token.v ?? '')}`);
  const revision = token.rv ?? 0;
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || typeof (token.start ?? '') !== 'string') {
    throw invalidToken(': json: cannot unmarshal into Go value of type storage.continueToken');
  }
  if (revision === 0) throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  const start = (token.start ?? '') as string;
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const parts = start.replace(/\0$/, '').replace(/^\//, '').split('/');
  const expected = list.namespaced && list.namespace === '' ? 2 : 1;
  const isOfOtherList = token.of !== undefined && token.of !== nameOf(list);
  if (isOfOtherList || parts.length !== expected || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw invalidToken(`: ${start}`);
  }
  const [name = '', namespace = list.namespace] = parts.reverse();
  return { revision: revision < 0 ? -1 : revision, after: { namespace, name } };
}

const nameOf = (list: ContinuedList): string =>
  list.namespace === '' ? formatGroupResource(list) : `${formatGroupResource(list)}/${list.namespace}`;

function parse(text: string): EncodedToken {
  const illegal = /[^A-Za-z0-9_\-\r\n]/.exec(text);
  const length = text.replace(/[\r\n]/g, '').length;
  if (illegal || length % 4 === 1) {
    throw invalidToken(`: illegal base64 data at input byte ${illegal ? illegal.index : text.length - 1}`);
  }
  const value = parseJson(Buffer.from(text, 'base64url'));
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw invalidToken(`: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type storage.continueToken`);
}

function parseJson(bytes: Uint8Array): Json {
  try {
    return decodeJson(bytes);
  } catch (error) {
    if (isDecodeError(error)) throw invalidToken(`: ${error.message}`);
    throw error;
  }
}

const invalidToken = (reason: string) => badRequest(`invalid continue token: continue key is not valid${reason}`);
