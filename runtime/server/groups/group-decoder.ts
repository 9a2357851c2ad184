import { StoredView } from '../../extensions/crd/serving/stored-view.ts';
import { ViewCache } from '../../extensions/crd/serving/view-cache.ts';
import { plainError } from '../../machinery/errors/status.ts';
import { TimeSlice } from '../../machinery/event-loop/yield.ts';
import { formatGroupVersion } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Conversion, ResourceDefinition, StoredBytes, VersionDecoder } from '../../machinery/resource.ts';
import type { MergeSchema } from '../../machinery/schema/merge-schema.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { metadataOffset, typeLength } from '../../storage/object-store/stored-json.ts';
import { typeMetaOf } from '../../storage/storage-codec/type-meta.ts';

/** The definitions of all versions of a resource by apiVersion, with conversions by schema or converter. */
export type ResourceVersions = ReadonlyMap<string, ResourceDefinition>;

/** Returns a definition that reads stored objects of any version. */
export function withAnyStoredVersion(definition: ResourceDefinition, versions: ResourceVersions): ResourceDefinition {
  const conversion = conversionFromAny(definition, versions);
  return { ...definition, conversion, decoder: new GroupDecoder(definition, conversion, versions) };
}

/** Returns a conversion from any stored version, because the storage version may have changed. */
function conversionFromAny(definition: ResourceDefinition, versions: ResourceVersions): Conversion {
  const { conversion, group, storageVersion } = definition;
  const own = formatGroupVersion(definition);
  const stored = formatGroupVersion({ group, version: storageVersion });
  return {
    toStorage: (object) => conversion.toStorage(object),
    fromStorage(object) {
      const { apiVersion = stored } = object;
      if (apiVersion === own) return object;
      return conversion.fromStorage(apiVersion === stored ? object : atStorageVersion(object, versions));
    },
  };
}

/** @throws StatusError 500 if the group has no such version */
function atStorageVersion(object: KubeObject, versions: ResourceVersions): KubeObject {
  const { apiVersion = '', kind = '' } = object;
  const from = versions.get(apiVersion);
  if (from === undefined) throw plainError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  from.type.setDefaults(object);
  return from.conversion.toStorage(object);
}

/** Decodes the stored objects of a custom API group, whose versions convert in the process. */
class GroupDecoder implements VersionDecoder {
  readonly setsDefaults = false;
  readonly #definition: ResourceDefinition;
  readonly #conversion: Conversion;
  readonly #versions: ResourceVersions;
  readonly #apiVersion: string;
  readonly #isStorageVersion: boolean;
  readonly #cache = new ViewCache();
  /** Loaded objects at the storage version. */
  readonly #current = new WeakSet<StoredBytes>();

  constructor(definition: ResourceDefinition, conversion: Conversion, versions: ResourceVersions) {
    this.#definition = definition;
    this.#conversion = conversion;
    this.#versions = versions;
    this.#apiVersion = formatGroupVersion(definition);
    this.#isStorageVersion = definition.version === definition.storageVersion;
  }

  isCurrent(stored: StoredBytes): boolean {
    if (!this.#isStorageVersion || stored instanceof StoredView) return false;
    if (stored.changesWhenRead === false || this.#current.has(stored)) return true;
    if (typeMetaOf(stored.json)?.apiVersion !== this.#apiVersion) return false;
    this.#current.add(stored);
    return true;
  }

  views<S extends StoredBytes>(stored: readonly S[]): readonly S[] | Promise<readonly S[]> {
    if (stored.every((one) => this.#needsNoView(one))) return stored;
    const [only, ...others] = stored;
    return only && others.length === 0 ? [this.#viewOf(only)] : this.#viewsInSlices(stored);
  }

  toStorage(object: KubeObject): KubeObject {
    return this.#conversion.toStorage(object);
  }

  async roundTrip(object: KubeObject): Promise<KubeObject> {
    return this.#conversion.fromStorage(this.#conversion.toStorage(object));
  }

  changesWhenRead({ apiVersion }: KubeObject): boolean {
    return apiVersion !== this.#apiVersion;
  }

  convert(object: KubeObject, apiVersion: string): KubeObject {
    const to = this.#versions.get(apiVersion);
    if (to === undefined) throw plainError(`no version ${JSON.stringify(apiVersion)} has been registered`);
    return conversionFromAny(to, this.#versions).fromStorage(object);
  }

  mergeSchema(apiVersion: string): MergeSchema | undefined {
    return this.#versions.get(apiVersion)?.type.merge;
  }

  duringWrite<R>(write: () => Promise<R>): Promise<R> {
    return write();
  }

  async #viewsInSlices<S extends StoredBytes>(stored: readonly S[]): Promise<readonly S[]> {
    const slice = new TimeSlice();
    const views: S[] = [];
    for (const one of stored) {
      if (slice.isOver) await slice.next();
      views.push(this.#viewOf(one));
    }
    return views;
  }

  #needsNoView(stored: StoredBytes): boolean {
    return stored instanceof StoredView || this.isCurrent(stored);
  }

  #viewOf<S extends StoredBytes>(stored: S): S {
    if (this.#needsNoView(stored)) return stored;
    const known = this.#cache.get(stored);
    if (known !== undefined) return known as StoredBytes as S;
    const object = this.#conversion.fromStorage(stored.decode());
    const values: Record<string, string> = {};
    for (const [label, value] of Object.entries(this.#definition.selectableFields)) values[label] = value(object);
    const view = new ConvertedView(stored as StoredBytes as StoredObject, object, values);
    this.#cache.add(stored, view);
    return view as StoredBytes as S;
  }
}

/** A view whose list items have no kind and apiVersion, like the items of stored objects. */
class ConvertedView extends StoredView {
  override get itemLength(): number {
    return this.json.length - this.#typeLength;
  }

  override writeItem(target: Uint8Array, offset: number): number {
    target[offset] = this.json[0] ?? 0;
    target.set(this.json.subarray(1 + this.#typeLength), offset + 1);
    return offset + this.itemLength;
  }

  /** The number of bytes of kind and apiVersion after the first brace. */
  get #typeLength(): number {
    return typeLength(metadataOffset(this.json) ?? 0);
  }
}
