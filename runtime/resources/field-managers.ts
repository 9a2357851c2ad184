import { stringifyJson } from '../codec/json.ts';
import type { Clock } from '../machinery/clock.ts';
import { formatGroupVersion, parseGroupVersion } from '../machinery/gvk.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition, VersionDecoder } from '../machinery/resource.ts';
import type { FieldSetFilter } from '../patch/fieldpath/filter.ts';
import { type ConvertedObject, createFieldManager, type FieldManager } from '../patch/managed-fields/field-manager.ts';
import { ConversionError } from '../patch/merge/converter.ts';
import type { ResourceRegistry } from './registry.ts';
import { resetFields } from './reset-fields.ts';

/** The field managers, which update metadata.managedFields: one for each subresource of each version of a resource. */
export class FieldManagers {
  readonly #registry: ResourceRegistry;
  readonly #clock: Clock;
  readonly #managers = new WeakMap<ResourceDefinition, Map<string, FieldManager>>();
  readonly #emptyObjects = new WeakMap<ResourceDefinition, KubeObject>();
  /** The conversions available to the running work. */
  #conversions: Conversions | undefined;

  constructor(registry: ResourceRegistry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /**
   * Returns the manager of a subresource; "" for the resource itself.
   *
   * @param objects for the manager: the versions in their managed fields are loaded first
   */
  async of(definition: ResourceDefinition, subresource: string, ...objects: KubeObject[]): Promise<FieldManager> {
    const ownVersion = formatGroupVersion(definition);
    for (const { metadata } of objects) {
      for (const { apiVersion = ownVersion } of metadata.managedFields ?? []) {
        if (apiVersion !== ownVersion) await this.#entryOf(definition, apiVersion)?.load();
      }
    }
    return this.#manager(definition, subresource);
  }

  /**
   * Runs work with a manager. If a webhook must convert an object to another version for it, awaits the conversion and
   * runs the work again. The work must therefore not change its arguments.
   */
  run<T>(definition: ResourceDefinition, work: () => T): T | Promise<T> {
    return definition.decoder === undefined ? work() : this.#runWithConversions(work);
  }

  async #runWithConversions<T>(work: () => T): Promise<T> {
    const conversions: Conversions = new Map();
    for (;;) {
      try {
        this.#conversions = conversions;
        return work();
      } catch (error) {
        if (!isMissingConversion(error)) throw error;
        conversions.set(error.key, await convertedOrError(error.pending));
      } finally {
        this.#conversions = undefined;
      }
    }
  }

  /** Returns an empty object, the base of a new object's fields. Must not be changed. */
  empty(definition: ResourceDefinition): KubeObject {
    let empty = this.#emptyObjects.get(definition);
    if (empty === undefined) {
      const { kind, type } = definition;
      const apiVersion = formatGroupVersion(definition);
      empty = { ...type.prune({ apiVersion, kind, metadata: {} }, new PruneContext()), apiVersion, kind };
      this.#emptyObjects.set(definition, empty);
    }
    return empty;
  }

  #manager(definition: ResourceDefinition, subresource: string): FieldManager {
    let managers = this.#managers.get(definition);
    if (managers === undefined) {
      managers = new Map();
      this.#managers.set(definition, managers);
    }
    let manager = managers.get(subresource);
    if (manager === undefined) {
      manager = createFieldManager({
        merge: definition.type.merge,
        gvk: definition,
        subresource,
        resetFields: { get: (apiVersion) => this.#filter(definition, subresource, apiVersion) },
        isDecoded: definition.type.unstructured !== true,
        convert: (object, apiVersion) => this.#convert(definition, object, apiVersion),
        empty: () => this.empty(definition),
        clock: this.#clock,
      });
      managers.set(subresource, manager);
    }
    return manager;
  }

  #filter(definition: ResourceDefinition, subresource: string, apiVersion: string): FieldSetFilter | undefined {
    const isOwn = apiVersion === formatGroupVersion(definition);
    if (!isOwn && subresource === '' && definition.writeRules.resetsOwnVersionOnly) return undefined;
    const versioned = isOwn ? definition : this.#entryOf(definition, apiVersion)?.definition;
    return versioned && resetFields(versioned, subresource);
  }

  #entryOf({ resource }: ResourceDefinition, apiVersion: string) {
    const groupVersion = parseGroupVersion(apiVersion);
    return groupVersion && this.#registry.lookup(groupVersion.group, groupVersion.version, resource);
  }

  #convert(definition: ResourceDefinition, object: KubeObject, apiVersion: string): ConvertedObject | undefined {
    const { decoder } = definition;
    if (decoder?.setsDefaults) return this.#convertByDecoder(decoder, object, apiVersion);
    const from = this.#entryOf(definition, object.apiVersion ?? '')?.definition;
    const to = this.#entryOf(definition, apiVersion)?.definition;
    if (from === undefined || to === undefined) return undefined;
    // the internal version of another group is not registered for the hub (managedfields IsMissingVersionError)
    if (from.group !== to.group) return undefined;
    const converted = to.conversion.fromStorage(from.conversion.toStorage(cloneJson(object)));
    return { object: { ...converted, apiVersion, kind: to.kind }, merge: to.type.merge };
  }

  #convertByDecoder(decoder: VersionDecoder, object: KubeObject, apiVersion: string): ConvertedObject {
    const merge = decoder.mergeSchema(apiVersion);
    if (merge === undefined) {
      throw new ConversionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
    }
    const key = `${apiVersion} ${stringifyJson(object)}`;
    const known = this.#conversions?.get(key);
    if (known instanceof ConversionError) throw known;
    if (known !== undefined) return { object: cloneJson(known), merge };
    const result = decoder.convert(cloneJson(object), apiVersion);
    if (!('then' in result)) return { object: result, merge };
    const missing: MissingConversion = { isMissingConversion: true, key, pending: result };
    throw missing;
  }
}

/** Converted objects, or conversion errors, by version and original. */
type Conversions = Map<string, KubeObject | ConversionError>;

const convertedOrError = (pending: Promise<KubeObject>): Promise<KubeObject | ConversionError> =>
  pending.catch((error: Error) => new ConversionError(error.message));

/** Thrown through the work of `run`: a conversion to wait for. */
interface MissingConversion {
  readonly isMissingConversion: true;
  readonly key: string;
  readonly pending: Promise<KubeObject>;
}

function isMissingConversion(error: unknown): error is MissingConversion {
  return typeof error === 'object' && error !== null && (error as MissingConversion).isMissingConversion === true;
}
