import { Buffer } from 'node:buffer';
import type { KubeObject, Part } from '../../machinery/object.ts';
import { invalid, required, tooLong } from '../../machinery/validation/field-error.ts';
import type { FieldPath } from '../../machinery/validation/field-path.ts';
import { type Errors, validateImmutableField } from '../validation/fields.ts';
import { always, none, type WarningRules } from '../warnings.ts';
import {
  countKeys,
  encodedSize,
  maxConfigSize,
  sizeOf,
  validateDataKeys,
  validateImmutableData,
} from './config-map.ts';
import { bytesOf, keyPairProblem } from './tls-key-pair.ts';

/** What is written as text is kept as data and never read back. (pkg/apis/core/v1/conversion.go, Secret) */
export function mergeStringData(secret: Part): void {
  const text = secret.stringData;
  if (text === undefined) return;
  delete secret.stringData;
  const keys = Object.keys(text ?? {});
  if (keys.length === 0) return;
  const data = { ...secret.data };
  for (const key of keys) {
    const value = Buffer.from(text[key], 'utf8').toString('base64');
    Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
  }
  secret.data = data;
}

/** (ValidateSecret) */
export function validateSecret(secret: Part, path: FieldPath, errors: Errors): void {
  const data = secret.data ?? {};
  const at = path.child('data');
  validateDataKeys(data, at, errors);
  if (sizeOf(data, encodedSize) > maxConfigSize) errors.push(tooLong(at, '', maxConfigSize));
  const need = (key: string): void => {
    if (!Object.hasOwn(data, key)) errors.push(required(at.key(key)));
  };
  switch (secret.type) {
    case 'kubernetes.io/service-account-token': {
      const name = 'kubernetes.io/service-account.name';
      if (!secret.metadata?.annotations?.[name]) errors.push(required(path.child('metadata', 'annotations').key(name)));
      return;
    }
    case 'kubernetes.io/dockercfg':
      validateJson(data, '.dockercfg', at, errors);
      return;
    case 'kubernetes.io/dockerconfigjson':
      validateJson(data, '.dockerconfigjson', at, errors);
      return;
    case 'kubernetes.io/basic-auth':
      if (!Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
        need('username');
        need('password');
      }
      return;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.push(required(at.key('ssh-privatekey')));
      return;
    case 'kubernetes.io/tls':
      need('tls.crt');
      need('tls.key');
  }
}

function validateJson(data: Part, key: string, path: FieldPath, errors: Errors): void {
  if (!Object.hasOwn(data, key)) {
    errors.push(required(path.key(key)));
    return;
  }
  const problem = jsonProblem(Buffer.from(data[key], 'base64').toString('utf8'));
  if (problem !== undefined) errors.push(invalid(path.key(key), '<secret contents redacted>', problem));
}

/** What Go's decoder says of a text that is no JSON object. */
function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input';
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && !Array.isArray(value)) return undefined;
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
  } catch {
    const first = text.trimStart()[0] ?? '';
    return first === '{'
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
}

/** (ValidateSecretUpdate) */
export function validateSecretUpdate(secret: Part, old: Part, path: FieldPath, errors: Errors): void {
  validateImmutableField(secret.type, old.type, path.child('type'), errors);
  validateImmutableData(secret, old, ['data'], path, errors);
}
export const secretData = ({ data }: KubeObject): number => countKeys(data);

/** Secrets of certificates whose key does not fit. (pkg/registry/core/secret/strategy.go) */
export const secretWarnings: WarningRules = always(({ type, data }) => {
  if (type !== 'kubernetes.io/tls') return none;
  const problem = keyPairProblem(bytesOf(data?.['tls.crt']), bytesOf(data?.['tls.key']));
  return problem === undefined ? none : [problem];
});
