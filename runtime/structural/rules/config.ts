import { Buffer } from 'node:buffer';
import { forbidden, invalid, required, tooLong } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import type { Part } from '../../machinery/object.ts';
import { checkImmutable, type Errors } from './checks.ts';
import { configMapKey } from './text-formats.ts';

/** What one config map or secret holds at most: 1 MiB. */
const maxSize = 1024 * 1024;

const encodedSize = (base64: string): number => Buffer.byteLength(base64, 'base64');

function checkKeys(data: Part, path: FieldPath, errors: Errors): void {
  for (const key of Object.keys(data ?? {})) {
    for (const message of configMapKey(key)) errors.push(invalid(path.key(key), key, message));
  }
}

function sizeOf(data: Part, size: (value: string) => number): number {
  let total = 0;
  for (const key of Object.keys(data ?? {})) total += size(String(data[key]));
  return total;
}

/** (pkg/apis/core/validation, ValidateConfigMap) */
export function validateConfigMap(config: Part, path: FieldPath, errors: Errors): void {
  checkKeys(config.data, path.child('data'), errors);
  for (const key of Object.keys(config.data ?? {})) {
    if (!Object.hasOwn(config.binaryData ?? {}, key)) continue;
    errors.push(invalid(path.child('data').key(key), key, 'duplicate of key present in binaryData'));
  }
  checkKeys(config.binaryData, path.child('binaryData'), errors);
  const size = sizeOf(config.data, (text) => Buffer.byteLength(text, 'utf8')) + sizeOf(config.binaryData, encodedSize);
  if (size > maxSize) errors.push(tooLong(FieldPath.root, '', maxSize));
}

function checkKept(object: Part, old: Part, names: readonly string[], path: FieldPath, errors: Errors): void {
  if (!old.immutable) return;
  const detail = 'field is immutable when `immutable` is set';
  if (!object.immutable) errors.push(forbidden(path.child('immutable'), detail));
  for (const name of names) {
    if (!sameData(object[name], old[name])) errors.push(forbidden(path.child(name), detail));
  }
}

const sameData = (a: Part = {}, b: Part = {}): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.keys(a).every((key) => Object.hasOwn(b, key) && a[key] === b[key]);

export function updateConfigMap(config: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkKept(config, old, ['data', 'binaryData'], path, errors);
}

/** (ValidateSecret) */
export function validateSecret(secret: Part, path: FieldPath, errors: Errors): void {
  const data = secret.data ?? {};
  const at = path.child('data');
  checkKeys(data, at, errors);
  if (sizeOf(data, encodedSize) > maxSize) errors.push(tooLong(at, '', maxSize));
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
      checkJson(data, '.dockercfg', at, errors);
      return;
    case 'kubernetes.io/dockerconfigjson':
      checkJson(data, '.dockerconfigjson', at, errors);
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

function checkJson(data: Part, key: string, path: FieldPath, errors: Errors): void {
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
export function updateSecret(secret: Part, old: Part, path: FieldPath, errors: Errors): void {
  checkImmutable(secret.type, old.type, path.child('type'), errors);
  checkKept(secret, old, ['data'], path, errors);
}
