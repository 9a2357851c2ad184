import { Buffer } from 'node:buffer';
import type { Secret as GeneratedSecret } from '../../../generated/v1.35/core/v1/types.ts';
import { parseExactJson } from '../../codec/json/exact.ts';
import { DecodeError } from '../../machinery/errors/decode-error.ts';
import { jsonTypeOf, setMember } from '../../machinery/json/values.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import type { Field } from '../../machinery/validation/field.ts';
import type { RESTStrategy } from '../../resources/rest.ts';
import { validateImmutableEnum } from '../validation/fields.ts';
import { validatedBy } from '../validation/validated-by.ts';
import { none, warningsOnWrite } from '../warnings.ts';
import { base64Size, type Data, dataSize, maxDataSize, validateDataKeys, validateImmutableData } from './config-map.ts';
import { keyPairProblem } from './tls-key-pair.ts';

/** (pkg/apis/core/validation) */

type Secret = Unvalidated<GeneratedSecret>;

/** Moves `stringData`, which is write-only, into `data`. (Convert_v1_Secret_To_core_Secret) */
export function mergeStringData(secret: Secret): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  delete secret.stringData;
  const entries = Object.entries(stringData ?? {});
  if (entries.length === 0) return;
  const data = { ...secret.data };
  for (const [key, text] of entries) setMember(data, key, Buffer.from(text, 'utf8').toString('base64'));
  secret.data = data;
}

/** (ValidateSecret) */
function validateSecret(secret: Secret, field: Field): void {
  const data = secret.data ?? {};
  const at = field.child('data');
  validateDataKeys(data, at);
  if (dataSize(data, base64Size) > maxDataSize) at.tooLong('', maxDataSize);
  const requireKey = (key: string): void => {
    if (!Object.hasOwn(data, key)) at.key(key).required();
  };
  switch (secret.type) {
    case 'kubernetes.io/service-account-token': {
      const name = 'kubernetes.io/service-account.name';
      if (!secret.metadata?.annotations?.[name]) field.child('metadata', 'annotations').key(name).required();
      return;
    }
    case 'kubernetes.io/dockercfg':
      validateJson(data, '.dockercfg', at);
      return;
    case 'kubernetes.io/dockerconfigjson':
      validateJson(data, '.dockerconfigjson', at);
      return;
    case 'kubernetes.io/basic-auth':
      if (!Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
        requireKey('username');
        requireKey('password');
      }
      return;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) at.key('ssh-privatekey').required();
      return;
    case 'kubernetes.io/tls':
      requireKey('tls.crt');
      requireKey('tls.key');
  }
}

function validateJson(data: Data, key: string, field: Field): void {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text === undefined) {
    field.key(key).required();
    return;
  }
  const problem = jsonProblem(Buffer.from(text, 'base64'));
  if (problem !== undefined) field.key(key).invalid('<secret contents redacted>', problem);
}

/** Returns the error of Go's decoder for text that is not a JSON object, or undefined. */
function jsonProblem(bytes: Uint8Array): string | undefined {
  try {
    const value = parseExactJson(bytes);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** (ValidateSecretUpdate) */
function validateSecretUpdate(secret: Secret, old: Secret, field: Field): void {
  validateImmutableEnum(secret.type, old.type, field.child('type'));
  validateImmutableData(secret, old, field);
  validateSecret(secret, field);
}

/** (pkg/registry/core/secret/strategy.go) */
export const secretStrategy: RESTStrategy = validatedBy(validateSecret, validateSecretUpdate);

export const secretData = ({ data }: Secret): number => Object.keys(data ?? {}).length;

/** Warns about a certificate and a key that do not match. (pkg/registry/core/secret/strategy.go) */
export const secretWarnings = warningsOnWrite(({ type, data }: Secret) => {
  if (type !== 'kubernetes.io/tls') return none;
  const problem = keyPairProblem(latin1Of(data?.['tls.crt']), latin1Of(data?.['tls.key']));
  return problem === undefined ? none : [problem];
});

const latin1Of = (base64 = ''): string => Buffer.from(base64, 'base64').toString('latin1');
