import { parseDuration } from '../../../machinery/go/duration.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, omittedValue } from '../../../machinery/validation/field-error.ts';
import { FieldErrors } from '../../../machinery/validation/field-errors.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { EncryptionConfiguration, Key, KeysConfiguration, KMSConfiguration, ProviderConfiguration } from './configuration.ts';
import { parseGroupResource } from './group-resource.ts';

/** Bytes. */
const aesKeySizes = [16, 24, 32];
const secretBoxKeySizes = [32];

/** (apiserver pkg/apis/apiserver/validation/validation_encryption.go) */
export function validateEncryptionConfiguration({ resources }: EncryptionConfiguration, reload: boolean): readonly FieldError[] {
  const errors = new FieldErrors();
  const root = Field.at(FieldPath.of('resources'), errors);
  if (resources.length === 0) root.required('at least one resources is required');
  const kmsNames = new Set<string>();
  resources.forEach((entry, at) => {
    const names = root.index(at).child('resources');
    const providers = root.index(at).child('providers');
    if (entry.resources.length === 0) names.required(`at least one ${names} is required`);
    validateResourceOverlap(entry.resources, names);
    entry.resources.forEach((name, index) => {
      const problem = resourceNameProblem(name);
      if (problem !== undefined) names.index(index).invalid(name, problem);
    });
    if (entry.providers.length === 0) providers.required(`at least one ${providers} is required`);
    entry.providers.forEach((provider, index) => {
      validateProvider(provider, providers.index(index), { kmsNames, reload });
    });
  });
  return errors;
}

function validateResourceOverlap(resources: readonly string[], field: Field): void {
  const seen = new Set<string>();
  const inGroup = new Map<string, { any: boolean; some: boolean }>();
  let hasDuplicate = false;
  let masksItself = false;
  for (const { group, resource } of resources.map(parseGroupResource)) {
    const name = `${resource}.${group}`;
    if (seen.has(name)) {
      hasDuplicate = true;
      masksItself ||= resource === '*';
    }
    seen.add(name);
    const kinds = inGroup.get(group) ?? { any: false, some: false };
    kinds[resource === '*' ? 'any' : 'some'] = true;
    inGroup.set(group, kinds);
  }
  const masksAll = seen.has('*.*') && seen.size > 1;
  const hasOverlap = masksAll || masksItself || [...inGroup.values()].some(({ any, some }) => any && some);
  if (hasDuplicate) field.invalid(resources, 'the same resource cannot be specified multiple times');
  if (hasOverlap) {
    field.invalid(
      resources,
      "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
    );
  }
}

const withoutREST: ReadonlySet<string> = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

function resourceNameProblem(name: string): string | undefined {
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') {
    return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  }
  if (withoutREST.has(name)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseGroupResource(name);
  if (group === 'events.k8s.io') {
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  }
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

interface KMSNames {
  /** The names in earlier entries. */
  readonly kmsNames: Set<string>;
  readonly reload: boolean;
}

function validateProvider(provider: ProviderConfiguration, field: Field, names: KMSNames): void {
  const found = Object.keys(provider).length;
  if (found === 0) {
    field.invalid(omittedValue, 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity');
  }
  if (found > 1) {
    field.invalid(omittedValue, 'more than one provider specified in a single element, should split into different list elements');
  }
  const { kms, aesgcm, aescbc, secretbox } = provider;
  if (kms !== undefined) {
    validateKMS(kms, field.child('kms'), names);
    names.kmsNames.add(kms.name);
  } else if (aesgcm !== undefined) validateKeys(aesgcm, field.child('aesgcm', 'keys'), aesKeySizes);
  else if (aescbc !== undefined) validateKeys(aescbc, field.child('aescbc', 'keys'), aesKeySizes);
  else if (secretbox !== undefined) validateKeys(secretbox, field.child('secretbox', 'keys'), secretBoxKeySizes);
}

function validateKeys({ keys }: KeysConfiguration, field: Field, sizes: readonly number[]): void {
  if (keys.length === 0) field.required('at least one keys is required');
  keys.forEach((key, at) => {
    validateKey(key, field.index(at), sizes);
  });
}

const isBase64 = (text: string): boolean => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

function validateKey({ name, secret }: Key, field: Field, sizes: readonly number[]): void {
  if (name === '') field.child('name').required('name is a mandatory field for a key');
  const secretField = field.child('secret');
  if (secret === '') {
    secretField.required('secret is a mandatory field for a key');
    return;
  }
  const text = secret.replaceAll(/[\r\n]/g, '');
  if (!isBase64(text)) {
    secretField.invalid('REDACTED', 'secrets must be base64 encoded');
    return;
  }
  const { length } = Buffer.from(text, 'base64');
  if (!sizes.includes(length)) {
    const expected = `[${sizes.join(' ')}]`;
    secretField.invalid('REDACTED', `secret is not of the expected length, got ${length}, expected one of ${expected}`);
  }
}

function validateKMS(kms: KMSConfiguration, field: Field, { kmsNames, reload }: KMSNames): void {
  const { apiVersion, name, cachesize, endpoint, timeout } = kms;
  const nameField = field.child('name');
  if (name === '') nameField.required('name is a mandatory field for a provider');
  if (apiVersion !== 'v1' && name.includes(':')) {
    nameField.invalid(name, `invalid KMS provider name ${name}, must not contain ':'`);
  }
  if ((reload || apiVersion !== 'v1') && kmsNames.has(name)) {
    nameField.invalid(name, `duplicate KMS provider name ${name}, names must be unique`);
  }
  if (parseDuration(timeout) <= 0n) field.child('timeout').invalid(timeout, 'timeout should be a positive value');
  validateEndpoint(endpoint, field.child('endpoint'));
  const cachesizeField = field.child('cachesize');
  if (apiVersion !== 'v1' && cachesize !== undefined) {
    cachesizeField.invalid(cachesize, 'cachesize is not supported in v2');
  }
  if (apiVersion === 'v1' && cachesize === 0) {
    cachesizeField.invalid(cachesize, 'cachesize should be a positive value, or negative to disable');
  }
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    // upstream's message has the field's name in place of its value
    const problem = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    field.child('apiVersion').invalid(apiVersion, problem);
  }
}

function validateEndpoint(endpoint: string, field: Field): void {
  if (endpoint === '') {
    field.invalid('', 'endpoint is a mandatory field for a kms');
    return;
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme !== 'unix') {
    field.invalid(endpoint, `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`);
  }
}
