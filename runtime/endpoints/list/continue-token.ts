import { decodeJson } from '../../codec/json.ts';
import { isDecodeError } from '../../machinery/errors/decode-error.ts';
import { badRequest } from '../../machinery/errors/status.ts';
import { isJsonObject, jsonTypeOf } from '../../machinery/json/values.ts';
import type { Json } from '../../machinery/object.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** The position of a list: from this key, at this revision, or at the latest revision if it is -1. */
export interface ContinueToken {
  readonly revision: number;
  /** Text behind the prefix of the list's keys, for example `default/a\0` in a list of all namespaces. */
  readonly from: string;
}

interface EncodedToken {
  readonly v?: unknown;
  readonly rv?: unknown;
  readonly start?: unknown;
}

/** Returns the position after an object in a list of one namespace, or of all namespaces if it is "". */
export function positionAfter(object: { readonly namespace: string; readonly name: string }, namespace: string): string {
  const inside = namespace === '' && object.namespace !== '' ? `${object.namespace}/` : '';
  return `${inside}${object.name}\0`;
}

/** Encodes a token as upstream does: JSON in unpadded URL-safe base64. (apiserver pkg/storage/continue.go) */
export function encodeContinue({ revision, from }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start: from })).toString('base64url');
}

/**
 * Decodes a token, of whichever list it is: as upstream, a token of another list is a position in this one.
 *
 * @throws StatusError 400 if the text is no token
 */
export function decodeContinue(text: string): ContinueToken {
  const token = parse(text);
  checkTypes(token);
  if (token.v !== tokenVersion) throw invalidToken(`: server does not recognize this encoded version ${String(token.v ?? '')}`);
  const revision = Number(token.rv ?? 0);
  if (revision === 0) throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  const start = (token.start ?? '') as string;
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const from = start.replace(/^\//, '');
  const isClean = from === '' || from.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isClean) throw invalidToken(`: ${start}`);
  return { revision: revision < 0 ? -1 : revision, from };
}

/** Checks members in the order of the token. @throws StatusError 400 */
function checkTypes(token: EncodedToken): void {
  for (const [name, value] of Object.entries(token)) {
    const type = name === 'rv' ? 'int64' : name === 'v' || name === 'start' ? 'string' : undefined;
    const isRight = type === 'int64' ? isInt64(value) : typeof value === 'string';
    if (type === undefined || value === null || isRight) continue;
    const shown = type === 'int64' && typeof value === 'number' ? `number ${value}` : jsonTypeOf(value);
    throw invalidToken(`: json: cannot unmarshal ${shown} into Go struct field continueToken.${name} of type ${type}`);
  }
}

const isInt64 = (value: unknown): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

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
