import { readFile } from 'node:fs/promises';
import { decodeYaml } from '../../codec/yaml.ts';
import { excerpt } from '../../machinery/errors/excerpt.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Json, JsonObject } from '../../machinery/object.ts';
import { fieldErrorMessage } from '../../machinery/validation/field-error.ts';
import type { Policy } from '../types.ts';
import { validatePolicy } from './validation.ts';

/** A missing or invalid policy file. The message has upstream's words. */
export class PolicyError extends Error {}

export interface LoadedPolicy {
  readonly policy: Policy;
  /** The unknown and repeated fields, which are ignored. */
  readonly strictErrors: readonly string[];
}

const groupVersion = 'audit.k8s.io/v1';
const schemeName = 'k8s.io/apiserver/pkg/audit/scheme.go:30';

/** @throws PolicyError */
export async function loadPolicyFromFile(path: string): Promise<LoadedPolicy> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new PolicyError(`failed to read file path ${quote(path)}: ${messageOf(error)}`);
  }
  try {
    return loadPolicy(bytes);
  } catch (error) {
    throw new PolicyError(`${messageOf(error)}: from file ${path}`);
  }
}

/** Reads a policy in YAML or JSON. @throws PolicyError, DecodeError (policy.LoadPolicyFromBytes) */
export function loadPolicy(bytes: Uint8Array): LoadedPolicy {
  const duplicates: string[] = [];
  const decoded = decodeYaml(bytes, { duplicates });
  if (!isObject(decoded)) throw failedDecoding('the file must be an object of kind Policy');
  const { kind, apiVersion } = decoded;
  if (!kind) throw failedDecoding(`Object 'Kind' is missing in '${excerpt(JSON.stringify(decoded))}'`);
  if (!apiVersion) throw failedDecoding(`Object 'apiVersion' is missing in '${excerpt(JSON.stringify(decoded))}'`);
  if (apiVersion !== groupVersion || kind !== 'Policy') {
    const version = quote(String(apiVersion));
    throw failedDecoding(`no kind ${quote(String(kind))} is registered for version ${version} in scheme ${quote(schemeName)}`);
  }
  const strictErrors = [...duplicates];
  const policy = new Reader(strictErrors).object(decoded, policyFields, '') as Policy;
  const errors = validatePolicy(policy);
  if (errors.length > 0) {
    const messages = [...new Set(errors.map(fieldErrorMessage))];
    throw new PolicyError(messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`);
  }
  if ((policy.rules ?? []).length === 0) throw new PolicyError('loaded illegal policy with 0 rules');
  return { policy, strictErrors };
}

const failedDecoding = (why: string): PolicyError => new PolicyError(`failed decoding: ${why}`);

type FieldType = 'string' | 'bool' | 'strings' | 'ignored' | { readonly items: Fields };
type Fields = Readonly<Record<string, FieldType>>;

const groupResourcesFields: Fields = { group: 'string', resources: 'strings', resourceNames: 'strings' };
const ruleFields: Fields = {
  level: 'string',
  users: 'strings',
  userGroups: 'strings',
  verbs: 'strings',
  resources: { items: groupResourcesFields },
  namespaces: 'strings',
  nonResourceURLs: 'strings',
  omitStages: 'strings',
  omitManagedFields: 'bool',
};
const policyFields: Fields = {
  kind: 'ignored',
  apiVersion: 'ignored',
  metadata: 'ignored',
  rules: { items: ruleFields },
  omitStages: 'strings',
  omitManagedFields: 'bool',
};

/** Copies the known fields of an object. Null counts as absent. */
class Reader {
  readonly #strictErrors: string[];

  constructor(strictErrors: string[]) {
    this.#strictErrors = strictErrors;
  }

  object(value: Json, fields: Fields, path: string): JsonObject {
    if (!isObject(value)) throw mismatch(value, path, 'object');
    const read: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (type === undefined) this.#strictErrors.push(`unknown field ${quote(excerpt(at))}`);
      else if (type !== 'ignored' && member !== null) read[name] = this.#value(member, type, at);
    }
    return read;
  }

  #value(value: Json, type: Exclude<FieldType, 'ignored'>, path: string): Json {
    if (type === 'string' || type === 'bool') return scalar(value, type, path);
    if (!Array.isArray(value)) throw mismatch(value, path, 'array');
    if (type === 'strings') return value.map((item, index) => scalar(item, 'string', `${path}[${index}]`));
    return value.map((item, index) => this.object(item, type.items, `${path}[${index}]`));
  }
}

function scalar(value: Json, type: 'string' | 'bool', path: string): Json {
  if (value === null) return type === 'string' ? '' : false;
  if (typeof value === (type === 'bool' ? 'boolean' : 'string')) return value;
  throw mismatch(value, path, type);
}

function mismatch(value: Json, path: string, wanted: string): PolicyError {
  const type = typeof value;
  const given = Array.isArray(value) ? 'array' : type === 'boolean' ? 'bool' : type === 'bigint' ? 'number' : type;
  return failedDecoding(`json: cannot unmarshal ${given} into Go struct field Policy.${path} of type ${wanted}`);
}

const isObject = (value: Json): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
