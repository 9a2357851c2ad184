import { stringifyJson } from '../codec/json.ts';
import type { Clock } from '../machinery/clock.ts';
import { formatGroupVersion, parseGroupVersion } from '../machinery/gvk.ts';
import { cloneJson } from '../machinery/json/clone.ts';
import type { KubeObject } from '../machinery/object.ts';
import { PruneContext } from '../machinery/prune/context.ts';
import type { ResourceDefinition, VersionDecoder } from '../machinery/resource.ts';
import type { FieldSetFilter } from '../patch/fieldpath/filter.ts';
import { type ConvertedObject, createFieldManager, type FieldManager } from '../patch/managed-fields/field-manager.ts';
import type { ResourceRegistry } from './registry.ts';
import { resetFields } from './reset-fields.ts';

/** What keeps metadata.managedFields, for each resource at each version and each of its subresources. */
export class FieldManagers {
  readonly #registry: ResourceRegistry;
  readonly #clock: Clock;
  readonly #made = new WeakMap<ResourceDefinition, Map<string, FieldManager>>();
  readonly #empty = new WeakMap<ResourceDefinition, KubeObject>();
  /** Of the work that runs right now. */
  #converted: Converted | undefined;

  constructor(registry: ResourceRegistry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** @param objects that will be passed in: the versions at which their fields are owned are loaded first */
  async of(definition: ResourceDefinition, subresource: string, ...objects: KubeObject[]): Promise<FieldManager> {
    const own = formatGroupVersion(definition);
    for (const { metadata } of objects) {
      for (const { apiVersion = own } of metadata.managedFields ?? []) {
        if (apiVersion !== own) await this.#entryOf(definition, apiVersion)?.load();
      }
    }
    return this.#manager(definition, subresource);
  }

  /**
   * Runs what asks the managers of `of`. Where an object is needed at a version that somebody else must make it, that
   * is awaited and the work run again; so it must change nothing.
   */
  run<T>(definition: ResourceDefinition, work: () => T): T | Promise<T> {
    return definition.decoder === undefined ? work() : this.#runAgain(work);
  }

  async #runAgain<T>(work: () => T): Promise<T> {
    const converted: Converted = new Map();
    for (;;) {
      try {
        this.#converted = converted;
        return work();
      } catch (error) {
        if (!isMissingConversion(error)) throw error;
        converted.set(error.key, await error.making);
      } finally {
        this.#converted = undefined;
      }
    }
  }

  /** An object with nothing in it, as it is before it is made. Not to be changed. */
  empty(definition: ResourceDefinition): KubeObject {
    let empty = this.#empty.get(definition);
    if (empty === undefined) {
      const { kind, type } = definition;
      const apiVersion = formatGroupVersion(definition);
      empty = { ...type.prune({ apiVersion, kind, metadata: {} }, new PruneContext()), apiVersion, kind };
      this.#empty.set(definition, empty);
    }
    return empty;
  }

  #manager(definition: ResourceDefinition, subresource: string): FieldManager {
    let managers = this.#made.get(definition);
    if (managers === undefined) {
      managers = new Map();
      this.#made.set(definition, managers);
    }
    let manager = managers.get(subresource);
    if (manager === undefined) {
      manager = createFieldManager({
        merge: definition.type.merge,
        gvk: definition,
        subresource,
        resetFields: { get: (apiVersion) => this.#filter(definition, subresource, apiVersion) },
        convert: (object, apiVersion) => this.#convert(definition, object, apiVersion),
        empty: () => this.empty(definition),
        clock: this.#clock,
      });
      managers.set(subresource, manager);
    }
    return manager;
  }

  #filter(definition: ResourceDefinition, subresource: string, apiVersion: string): FieldSetFilter | undefined {
    const own = apiVersion === formatGroupVersion(definition);
    const there = own ? definition : this.#entryOf(definition, apiVersion)?.definition;
    return there && resetFields(there, subresource);
  }

  #entryOf({ resource }: ResourceDefinition, apiVersion: string) {
    const groupVersion = parseGroupVersion(apiVersion);
    return groupVersion && this.#registry.lookup(groupVersion.group, groupVersion.version, resource);
  }

  #convert(definition: ResourceDefinition, object: KubeObject, apiVersion: string): ConvertedObject | undefined {
    const from = this.#entryOf(definition, object.apiVersion ?? '')?.definition;
    const to = this.#entryOf(definition, apiVersion)?.definition;
    if (from === undefined || to === undefined) return undefined;
    if (to.decoder !== undefined) {
      const there = this.#convertRemotely(to.decoder, object, apiVersion);
      return there && { object: there, merge: to.type.merge };
    }
    const converted = to.conversion.fromStorage(from.conversion.toStorage(cloneJson(object)));
    return { object: { ...converted, apiVersion, kind: to.kind }, merge: to.type.merge };
  }

  #convertRemotely(decoder: VersionDecoder, object: KubeObject, apiVersion: string): KubeObject | undefined {
    const key = `${apiVersion} ${stringifyJson(object)}`;
    const known = this.#converted?.get(key);
    if (known !== undefined) return cloneJson(known);
    const making = decoder.convert(cloneJson(object), apiVersion);
    if (making === undefined || !('then' in making)) return making;
    const missing: MissingConversion = { isMissingConversion: true, key, making: making as Promise<KubeObject> };
    throw missing;
  }
}

type Converted = Map<string, KubeObject>;

/** Thrown through the work of `run`: what it lacks. */
interface MissingConversion {
  readonly isMissingConversion: true;
  readonly key: string;
  readonly making: Promise<KubeObject>;
}

function isMissingConversion(error: unknown): error is MissingConversion {
  return typeof error === 'object' && error !== null && (error as MissingConversion).isMissingConversion === true;
}
