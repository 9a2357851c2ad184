import { badRequest, plainError } from '../../machinery/errors/status.ts';
import { equalJson } from '../../machinery/json/equality.ts';
import { isJsonObject, memberOf } from '../../machinery/json/values.ts';
import { type Json, type JsonObject, type KubeObject, unstructuredContent } from '../../machinery/object.ts';
import { parseTime } from '../../machinery/scalars/time.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import type { TypedValue } from '../merge/converter.ts';
import type { Updater } from '../merge/updater.ts';
import { hasItemWithoutKey } from '../typed/keyed-lists.ts';
import { validateTyped } from '../typed/validate.ts';
import { isValidationErrors } from '../typed/validation-errors.ts';
import type { ApplyRequest, InnerManager, Managed, ManagedObject, UnchangedObject } from './manager.ts';
import { formatGroupVersionKind } from './version-check.ts';

/** Computes managed fields with the schema of one version. (apimachinery structuredmerge.go) */
export class StructuredMergeManager implements InnerManager {
  readonly #updater: Updater;
  readonly #schema: MergeSchema;
  readonly #apiVersion: string;
  readonly #isDecoded: boolean;

  /** @param isDecoded the objects of updates have the types of the schema, because their type has decoded them */
  constructor(updater: Updater, schema: MergeSchema, apiVersion: string, isDecoded: boolean) {
    this.#updater = updater;
    this.#schema = schema;
    this.#apiVersion = apiVersion;
    this.#isDecoded = isDecoded;
  }

  /** @throws ValidationErrors, ConversionError */
  update(live: KubeObject, next: KubeObject, { fields, times }: Managed, manager: string): ManagedObject {
    this.#validateUpdate(live, next);
    const managers = this.#updater.update({
      live: this.#typed(live),
      next: this.#typed(next),
      managers: fields,
      manager,
    });
    return { object: next, managed: { fields: managers, times } };
  }

  /** @throws ConflictError, StatusError 400, 500 */
  apply({ live, config, managed, manager, force }: ApplyRequest): ManagedObject | UnchangedObject {
    if (config.apiVersion !== this.#apiVersion) {
      const message = 'Incorrect version specified in apply patch. Specified patch version: ';
      throw badRequest(`${message}${config.apiVersion ?? ''}, expected: ${this.#apiVersion}`);
    }
    if (hasManagedFields(config.metadata?.managedFields)) throw badRequest('metadata.managedFields must be nil');
    this.#validate(config, 'patch', false);
    this.#validate(live, 'live', true);
    const typed = { live: this.#typed(live), config: this.#typed(config) };
    const result = this.#updater.apply({ ...typed, managers: managed.fields, manager, force });
    const applied: Managed = { fields: result.managers, times: managed.times };
    return result.object === undefined ? { managed: applied } : { object: result.object, managed: applied };
  }

  /** Validates both objects, but equal members only once. Validation does not find every mismatch with the schema. */
  #validateUpdate(live: KubeObject, next: KubeObject): void {
    const before = unstructuredContent(live);
    const after = unstructuredContent(next);
    this.#validateMembers(after, after);
    this.#validateMembers(before, after);
  }

  /** Validates the members, except those that are equal in another object. */
  #validateMembers(members: JsonObject, other: JsonObject): void {
    for (const [name, value] of Object.entries(members)) {
      if (name === 'metadata' || (this.#isDecoded && !this.#hasItemWithoutKey(name, value))) continue;
      if (members !== other && equalJson(value, memberOf(other, name))) continue;
      validateTyped({ [name]: value }, this.#schema, { allowDuplicates: true });
    }
  }

  #hasItemWithoutKey(name: string, value: Json | undefined): boolean {
    const schema = this.#schema.kind === 'struct' ? this.#schema.fields[name]?.() : undefined;
    return schema !== undefined && hasItemWithoutKey(value ?? null, schema);
  }

  #validate(object: KubeObject, what: string, allowDuplicates: boolean): void {
    try {
      validateTyped(unstructuredContent(object), this.#schema, { allowDuplicates });
    } catch (error) {
      if (!isValidationErrors(error)) throw error;
      throw plainError(`failed to create typed ${what} object (${formatObject(object)}): ${error.message}`);
    }
  }

  #typed(object: KubeObject): TypedValue {
    return { object, apiVersion: this.#apiVersion, schema: this.#schema };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Formats namespace, name and kind for messages. */
export function formatObject(object: KubeObject): string {
  const { name, namespace } = object.metadata ?? {};
  return `${textOf(namespace)}/${textOf(name)}; ${formatGroupVersionKind(object)}`;
}

const textFields = ['manager', 'operation', 'apiVersion', 'fieldsType', 'subresource'];

/** Reports whether a value is a list of managed fields. Other values count as absent. (unstructured.GetManagedFields) */
const hasManagedFields = (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);

const isEntry = (entry: unknown): boolean =>
  isJsonObject(entry) &&
  textFields.every((field) => entry[field] == null || typeof entry[field] === 'string') &&
  (entry.time == null || isTime(entry.time));

function isTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    parseTime(value);
    return true;
  } catch {
    return false;
  }
}
