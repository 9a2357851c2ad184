import { isJsonObject } from '../../machinery/json/values.ts';
import { serviceAccountGroups, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';

/** An object that a token names: it counts as long as the object is there with that uid. */
export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** What a token is bound to besides its service account. A pod may bring the node that it runs on. */
export interface TokenBinding {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  /** The uid is missing for a pod's node that is not there. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** The payload of a token; times in seconds since the epoch. (pkg/serviceaccount/claims.go) */
export interface TokenClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': TokenBinding & { readonly namespace: string; readonly serviceaccount: ObjectReference };
  readonly nbf: number;
  readonly sub: string;
}

const extraPrefix = 'authentication.kubernetes.io/';

/** Who a token stands for. (apiserver pkg/authentication/serviceaccount/util.go) */
export function userOf({ 'kubernetes.io': { namespace, serviceaccount, pod, node }, jti }: TokenClaims): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  const tell = (key: string, value: string | undefined): void => {
    if (value) extra[extraPrefix + key] = [value];
  };
  if (pod?.name && pod.uid) {
    tell('pod-name', pod.name);
    tell('pod-uid', pod.uid);
  }
  if (jti) tell('credential-id', `JTI=${jti}`);
  if (node?.name) {
    tell('node-name', node.name);
    tell('node-uid', node.uid);
  }
  return {
    name: serviceAccountUserName(namespace, serviceaccount.name),
    uid: serviceaccount.uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}

/**
 * The payload of a token whose signature is good. Undefined where it is not what an issuer of service account tokens
 * writes.
 */
export function parseClaims(payload: string): TokenClaims | undefined {
  const value = parseObject(payload);
  const bound = value?.['kubernetes.io'] as Record<string, unknown> | undefined;
  if (value === undefined || !isJsonObject(bound)) return undefined;
  const aud = typeof value.aud === 'string' ? [value.aud] : (value.aud ?? []);
  const good =
    Array.isArray(aud) &&
    aud.every(isText) &&
    [value.exp, value.iat, value.nbf].every((time) => typeof time === 'number') &&
    isText(value.iss) &&
    isText(bound.namespace) &&
    isReference(bound.serviceaccount) &&
    [bound.pod, bound.secret].every((reference) => reference === undefined || isReference(reference)) &&
    (bound.node === undefined || (isJsonObject(bound.node) && isText(bound.node.name)));
  return good ? ({ ...value, aud, jti: value.jti ?? '' } as unknown as TokenClaims) : undefined;
}

/** The issuer that a token names, nothing of it being proven yet; undefined for what is no signed token. */
export function claimedIssuer(token: string): string | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const issuer = parseObject(Buffer.from(parts[1], 'base64url').toString())?.iss;
  return isText(issuer) ? issuer : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isReference = (value: unknown): boolean => isJsonObject(value) && isText(value.name) && isText(value.uid);
