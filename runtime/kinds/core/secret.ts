import { Buffer } from 'node:buffer';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { Field } from '../../machinery/validation/field.ts';
import { validateImmutableField } from '../validation/fields.ts';
import { none, type WarningStrategy, warningsOnWrite } from '../warnings.ts';
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
export function validateSecret(secret: Part, field: Field): void {
  const data = secret.data ?? {};
  const at = field.child('data');
  validateDataKeys(data, at);
  if (sizeOf(data, encodedSize) > maxConfigSize) at.tooLong('', maxConfigSize);
  const need = (key: string): void => {
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
        need('username');
        need('password');
      }
      return;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) at.key('ssh-privatekey').required();
      return;
    case 'kubernetes.io/tls':
      need('tls.crt');
      need('tls.key');
  }
}

function validateJson(data: Part, key: string, field: Field): void {
  if (!Object.hasOwn(data, key)) {
    field.key(key).required();
    return;
  }
  const problem = jsonProblem(Buffer.from(data[key], 'base64').toString('utf8'));
  if (problem !== undefined) field.key(key).invalid('<secret contents redacted>', problem);
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
export function validateSecretUpdate(secret: Part, old: Part, field: Field): void {
  validateImmutableField(secret.type, old.type, field.child('type'));
  validateImmutableData(secret, old, ['data'], field);
}
export const secretData = ({ data }: KubeObject): number => countKeys(data);

/** Secrets of certificates whose key does not fit. (pkg/registry/core/secret/strategy.go) */
export const secretWarnings: WarningStrategy = warningsOnWrite(({ type, data }) => {
  if (type !== 'kubernetes.io/tls') return none;
  const problem = keyPairProblem(bytesOf(data?.['tls.crt']), bytesOf(data?.['tls.key']));
  return problem === undefined ? none : [problem];
});
