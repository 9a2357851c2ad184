import { isJsonObject } from '../../machinery/json/values.ts';
import { fromUnstructured, unstructuredContent } from '../../machinery/object.ts';
import { serviceAccountGroups, serviceAccountUserName, type UserInfo } from '../../machinery/user-info.ts';

/** An object that a token refers to. The token is valid only while the object exists with this uid. */
export interface ObjectReference {
  readonly name: string;
  readonly uid: string;
}

/** The object that a token is bound to, besides its service account. The node of a bound pod may be included. */
export interface TokenBinding {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  /** The uid is absent if the pod's node does not exist. */
  readonly node?: { readonly name: string; readonly uid?: string } | undefined;
}

/** The payload of a token; times in seconds since the epoch. (pkg/serviceaccount/claims.go) */
export interface TokenClaims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': TokenBinding & {
    readonly namespace: string;
    readonly serviceaccount: ObjectReference;
    /** The time when clients should have renewed the token. It stays valid longer for clients that do not. */
    readonly warnafter?: number;
  };
  readonly nbf: number;
  readonly sub: string;
}

const extraPrefix = 'authentication.kubernetes.io/';

/** Returns the user of a token. (apiserver pkg/authentication/serviceaccount/util.go ServiceAccountInfo.UserInfo) */
export function serviceAccountUser({ 'kubernetes.io': { namespace, serviceaccount, pod, node }, jti }: TokenClaims): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  const addExtra = (key: string, value: string | undefined): void => {
    if (value) extra[extraPrefix + key] = [value];
  };
  if (pod?.name && pod.uid) {
    addExtra('pod-name', pod.name);
    addExtra('pod-uid', pod.uid);
  }
  if (jti) addExtra('credential-id', credentialIdOf(jti));
  if (node?.name) {
    addExtra('node-name', node.name);
    addExtra('node-uid', node.uid);
  }
  return {
    name: serviceAccountUserName(namespace, serviceaccount.name),
    uid: serviceaccount.uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}

/** Parses the payload of a verified token. Returns undefined if it lacks the claims of service account tokens. */
export function parseClaims(payload: string): TokenClaims | undefined {
  const value = parseObject(payload);
  const bound = value?.['kubernetes.io'] as Record<string, unknown> | undefined;
  if (value === undefined || !isJsonObject(bound)) return undefined;
  const aud = typeof value.aud === 'string' ? [value.aud] : (value.aud ?? []);
  const good =
    Array.isArray(aud) &&
    aud.every(isString) &&
    [value.exp, value.iat, value.nbf].every((time) => typeof time === 'number') &&
    isString(value.iss) &&
    isString(bound.namespace) &&
    isReference(bound.serviceaccount) &&
    [bound.pod, bound.secret].every((reference) => reference === undefined || isReference(reference)) &&
    (bound.node === undefined || (isJsonObject(bound.node) && isString(bound.node.name)));
  return good ? fromUnstructured<TokenClaims>(unstructuredContent({ ...value, aud, jti: value.jti ?? '' })) : undefined;
}

/** Returns the issuer that an unverified token claims; undefined if it is not a JWT. */
export function claimedIssuer(token: string): string | undefined {
  const [, payload, ...others] = token.split('.');
  if (payload === undefined || others.length !== 1) return undefined;
  const issuer = parseObject(Buffer.from(payload, 'base64url').toString())?.iss;
  return isString(issuer) ? issuer : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isReference = (value: unknown): boolean => isJsonObject(value) && isString(value.name) && isString(value.uid);

/** Returns the token's id in users and audit events. (CredentialIDForJTI) */
export const credentialIdOf = (jti: string): string => `JTI=${jti}`;
