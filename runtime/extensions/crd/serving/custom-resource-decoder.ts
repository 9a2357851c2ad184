import { plainError } from '../../../machinery/errors/status.ts';
import { yieldToEventLoop } from '../../../machinery/event-loop/yield.ts';
import { parseGroupVersion } from '../../../machinery/gvk.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import type { StoredBytes, VersionDecoder } from '../../../machinery/resource.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import type { CRDInfo } from './crd-info.ts';
import { StoredView } from './stored-view.ts';
import { ViewCache } from './view-cache.ts';

/** How many objects are read between two turns of the event loop. */
const slice = 250;

export type SelectableFields = Readonly<Record<string, (object: KubeObject) => string>>;

/**
 * Reads what is stored at one version: pruned and defaulted by the schema of the version it was written at, converted,
 * and pruned by this one's. (customresource_handler.go crdConversionRESTOptionsGetter)
 */
export class CustomResourceDecoder implements VersionDecoder {
  readonly #versions: CRDInfo;
  readonly #version: string;
  readonly #apiVersion: string;
  readonly #isStorage: boolean;
  readonly #selectable: SelectableFields;
  readonly #cache = new ViewCache();
  /** Older objects that the schema has nothing to say about. */
  readonly #proven = new WeakSet<StoredBytes>();
  readonly #making = new Map<StoredBytes, Promise<StoredView>>();

  constructor(versions: CRDInfo, version: string, selectable: SelectableFields) {
    this.#versions = versions;
    this.#version = version;
    this.#apiVersion = `${versions.group}/${version}`;
    this.#isStorage = version === versions.storageVersion;
    this.#selectable = selectable;
  }

  isCurrent(stored: StoredBytes, writtenAt = stored.revision): boolean {
    if (!this.#isStorage || stored instanceof StoredView) return false;
    return writtenAt > this.#versions.history.changedAt || this.#proven.has(stored);
  }

  async #inSlices<S extends StoredBytes>(stored: readonly S[], writtenAt?: number): Promise<readonly S[]> {
    const views: S[] = [];
    for (let start = 0; start < stored.length; start += slice) {
      views.push(...(await this.views(stored.slice(start, start + slice), writtenAt)));
      await yieldToEventLoop();
    }
    return views;
  }

  isStorageEncoding(stored: StoredBytes): boolean {
    return stored.revision > this.#versions.history.changedAt;
  }

  views<S extends StoredBytes>(stored: readonly S[], writtenAt?: number): readonly S[] | Promise<readonly S[]> {
    if (stored.every((one) => this.#isPlain(one, writtenAt))) return stored;
    if (stored.length > slice) return this.#inSlices(stored, writtenAt);
    const made = new Map<StoredBytes, StoredView | Promise<StoredView>>();
    const foreign: StoredBytes[] = [];
    const objects: KubeObject[] = [];
    for (const one of stored) {
      if (this.#isPlain(one, writtenAt)) continue;
      const known = this.#cache.get(one) ?? this.#making.get(one);
      if (known !== undefined) {
        made.set(one, known);
        continue;
      }
      const object = this.#decode(one);
      if (object.apiVersion === this.#apiVersion) {
        const view = this.#see(one, object);
        if (view !== undefined) made.set(one, view);
      } else {
        foreign.push(one);
        objects.push(object);
      }
    }
    if (foreign.length > 0) this.#convertAll(foreign, objects, made);
    const views = stored.map((one) => (made.get(one) ?? one) as S | Promise<S>);
    return views.some((one) => 'then' in one) ? Promise.all(views) : (views as S[]);
  }

  async #store(object: KubeObject): Promise<KubeObject> {
    const { storageVersion, group, converter } = this.#versions;
    const [converted] = await converter.convert([object], `${group}/${storageVersion}`);
    return this.#versions.schema(storageVersion)?.pruneStored(converted) ?? converted;
  }

  toStorage(object: KubeObject): KubeObject | Promise<KubeObject> {
    return this.#isStorage ? object : this.#store(object);
  }

  convert(object: KubeObject, apiVersion: string): KubeObject | Promise<KubeObject> | undefined {
    if (object.apiVersion === apiVersion) return object;
    if (!this.#knows(object.apiVersion) || !this.#knows(apiVersion)) return undefined;
    const converted = this.#versions.converter.convert([object], apiVersion);
    return 'then' in converted ? converted.then(([one]) => one) : converted[0];
  }

  duringWrite<R>(write: () => Promise<R>): Promise<R> {
    return this.#versions.writes.run(write);
  }

  #isPlain(stored: StoredBytes, writtenAt: number | undefined): boolean {
    return stored instanceof StoredView || this.isCurrent(stored, writtenAt);
  }

  #knows(apiVersion = ''): boolean {
    const parsed = parseGroupVersion(apiVersion);
    return parsed?.group === this.#versions.group && this.#versions.version(parsed.version) !== undefined;
  }

  /** As the schema of its own version reads it now. @throws StatusError 500 */
  #decode(stored: StoredBytes): KubeObject {
    const object = stored.decode();
    const version = parseGroupVersion(object.apiVersion ?? '')?.version ?? '';
    const schema = this.#versions.schema(version);
    if (schema === undefined) {
      throw plainError(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
    }
    const pruned = schema.pruneStored(object);
    schema.setDefaults(pruned);
    return pruned;
  }

  /** Those that are not at this version, all at once. */
  #convertAll(
    stored: readonly StoredBytes[],
    objects: readonly KubeObject[],
    made: Map<StoredBytes, StoredView | Promise<StoredView>>,
  ): void {
    const converted = this.#versions.converter.convert(objects, this.#apiVersion);
    if (!('then' in converted)) {
      for (const [index, one] of stored.entries()) made.set(one, this.#keepConverted(one, converted[index]));
      return;
    }
    for (const [index, one] of stored.entries()) {
      const view = converted
        .then((list) => this.#keepConverted(one, list[index]))
        .finally(() => this.#making.delete(one));
      view.catch(() => undefined);
      this.#making.set(one, view);
      made.set(one, view);
    }
  }

  /** Undefined where nothing differs from what is stored, which is so of most objects when a definition changes. */
  #see(stored: StoredBytes, object: KubeObject): StoredView | undefined {
    const view = this.#viewOf(stored, object);
    if (this.#isStorage && hasFieldsOf(view, stored as StoredObject) && Buffer.compare(view.json, stored.json) === 0) {
      this.#proven.add(stored);
      return undefined;
    }
    this.#cache.add(stored, view);
    return view;
  }

  #keepConverted(stored: StoredBytes, object: KubeObject): StoredView {
    return this.#keep(stored, this.#versions.schema(this.#version)?.pruneStored(object) ?? object);
  }

  #keep(stored: StoredBytes, object: KubeObject): StoredView {
    const view = this.#viewOf(stored, object);
    this.#cache.add(stored, view);
    return view;
  }

  #viewOf(stored: StoredBytes, object: KubeObject): StoredView {
    const values: Record<string, string> = {};
    for (const [label, value] of Object.entries(this.#selectable)) values[label] = value(object);
    return new StoredView(stored as StoredObject, object, values);
  }
}

function hasFieldsOf({ fields }: StoredView, stored: StoredObject): boolean {
  return Object.entries(fields).every(([label, value]) => stored.fields[label] === value);
}
