import { elementAt } from '../../../machinery/collections/element-at.ts';
import { isRequestTooLarge, plainError } from '../../../machinery/errors/status.ts';
import { withoutEventLoopBudget } from '../../../machinery/event-loop/budget.ts';
import { TimeSlice, yieldToEventLoop } from '../../../machinery/event-loop/yield.ts';
import { parseGroupVersion } from '../../../machinery/gvk.ts';
import type { KubeObject } from '../../../machinery/object.ts';
import { emptiableMetadata, type StoredBytes, type VersionDecoder } from '../../../machinery/resource.ts';
import type { MergeSchema } from '../../../machinery/schema/merge-schema.ts';
import type { StoredObject } from '../../../storage/object-store/contract.ts';
import type { CompiledSchema } from '../../../structural/schema/compile.ts';
import type { CRDInfo } from './crd-info.ts';
import { StoredView } from './stored-view.ts';
import { ViewCache } from './view-cache.ts';

/** The number of objects that are decoded between two turns of the event loop. */
const chunkSize = 250;

export type SelectableFields = Readonly<Record<string, (object: KubeObject) => string>>;

/** Objects that are decoded together, and their views so far. */
interface Batch {
  readonly views: Map<StoredBytes, StoredView | Promise<StoredView>>;
  /** Objects of another version, decoded. */
  readonly unconverted: StoredBytes[];
  readonly objects: KubeObject[];
}

const newBatch = (): Batch => ({ views: new Map(), unconverted: [], objects: [] });

/**
 * Decodes stored objects to one version of a custom resource. Prunes and defaults an object by the schema of the
 * version that it was written at, converts it, and prunes it by the schema of this version. (customresource_handler.go
 * crdConversionRESTOptionsGetter)
 */
export class CustomResourceDecoder implements VersionDecoder {
  readonly setsDefaults = true;
  readonly #info: CRDInfo;
  readonly #version: string;
  readonly #apiVersion: string;
  readonly #isStorageVersion: boolean;
  readonly #selectable: SelectableFields;
  readonly #cache = new ViewCache();
  /** Older and loaded objects that the newest schema leaves unchanged. */
  readonly #unchanged = new WeakSet<StoredBytes>();
  readonly #converting = new Map<StoredBytes, Promise<StoredView>>();

  constructor(info: CRDInfo, version: string, selectable: SelectableFields) {
    this.#info = info;
    this.#version = version;
    this.#apiVersion = `${info.group}/${version}`;
    this.#isStorageVersion = version === info.storageVersion;
    this.#selectable = selectable;
  }

  isCurrent(stored: StoredBytes, writtenAt = stored.revision): boolean {
    if (!this.#isStorageVersion || stored instanceof StoredView) return false;
    return (this.#isNewest(writtenAt) && stored.changesWhenRead === false) || this.#unchanged.has(stored);
  }

  views<S extends StoredBytes>(stored: readonly S[], writtenAt?: number): readonly S[] | Promise<readonly S[]> {
    if (stored.every((one) => this.#needsNoView(one, writtenAt))) return stored;
    if (stored.length > chunkSize) return this.#viewsInChunks(stored, writtenAt);
    const batch = newBatch();
    const slice = stored.length > 1 ? new TimeSlice() : undefined;
    for (const [at, one] of stored.entries()) {
      this.#addTo(batch, one, writtenAt);
      if (slice?.isOver === true) return this.#continued(batch, stored, { from: at + 1, slice, writtenAt });
    }
    return this.#viewsOf(batch, stored);
  }

  toStorage(object: KubeObject): KubeObject | Promise<KubeObject> {
    return this.#isStorageVersion ? object : this.#convertForStorage(object);
  }

  async roundTrip(object: KubeObject): Promise<KubeObject> {
    const decoded = this.#coerced(await this.toStorage(object));
    if (this.#isStorageVersion) return decoded;
    return this.#pruned(elementAt(await this.#info.converter.convert([decoded], this.#apiVersion), 0));
  }

  changesWhenRead(object: KubeObject): boolean {
    if (emptiableMetadata.some((name) => isEmptyMember(object.metadata[name]))) return true;
    const schema = this.#info.schema(this.#info.storageVersion);
    return schema !== undefined && (schema.lacksDefaults(object) || schema.hasUncoercedEmbedded(object));
  }

  convert(object: KubeObject, apiVersion: string): KubeObject | Promise<KubeObject> {
    const converted = this.#info.converter.convert([object], apiVersion);
    return 'then' in converted ? converted.then((list) => elementAt(list, 0)) : elementAt(converted, 0);
  }

  mergeSchema(apiVersion: string): MergeSchema | undefined {
    const parsed = parseGroupVersion(apiVersion);
    return parsed?.group === this.#info.group ? this.#info.mergeSchema(parsed.version) : undefined;
  }

  duringWrite<R>(write: () => Promise<R>): Promise<R> {
    return this.#info.writes.run(write);
  }

  async #viewsInChunks<S extends StoredBytes>(stored: readonly S[], writtenAt?: number): Promise<readonly S[]> {
    const views: S[] = [];
    const slice = new TimeSlice();
    for (let start = 0; start < stored.length; start += chunkSize) {
      const chunk = stored.slice(start, start + chunkSize);
      views.push(...(await this.#continued(newBatch(), chunk, { from: 0, slice, writtenAt })));
      await yieldToEventLoop();
    }
    return views;
  }

  /** Decodes the rest of a batch. A few objects can take long, because each item of a list may have long defaults. */
  async #continued<S extends StoredBytes>(
    batch: Batch,
    stored: readonly S[],
    { from, slice, writtenAt }: { from: number; slice: TimeSlice; writtenAt: number | undefined },
  ): Promise<readonly S[]> {
    for (const one of stored.slice(from)) {
      if (slice.isOver) await slice.next();
      this.#addTo(batch, one, writtenAt);
    }
    return this.#viewsOf(batch, stored);
  }

  /** Decodes an object, if it needs a view. */
  #addTo({ views, unconverted, objects }: Batch, one: StoredBytes, writtenAt: number | undefined): void {
    if (this.#needsNoView(one, writtenAt)) return;
    const known = this.#cache.get(one) ?? this.#converting.get(one);
    if (known !== undefined) {
      views.set(one, known);
      return;
    }
    const decoded = one.decode();
    if (this.#isLoadedUnchanged(one, decoded, writtenAt)) {
      this.#unchanged.add(one);
      return;
    }
    const object = this.#coercedWhenRead(decoded, one);
    if (object.apiVersion === this.#apiVersion) {
      const view = this.#viewIfChanged(one, object);
      if (view !== undefined) views.set(one, view);
    } else {
      unconverted.push(one);
      objects.push(object);
    }
  }

  #viewsOf<S extends StoredBytes>({ views, unconverted, objects }: Batch, stored: readonly S[]): readonly S[] | Promise<readonly S[]> {
    if (unconverted.length > 0) this.#convertAll(unconverted, objects, views);
    const results = stored.map((one) => (views.get(one) ?? one) as S | Promise<S>);
    return results.some((one) => 'then' in one) ? Promise.all(results) : (results as S[]);
  }

  async #convertForStorage(object: KubeObject): Promise<KubeObject> {
    const { storageVersion, group, converter } = this.#info;
    const converted = elementAt(await converter.convert([object], `${group}/${storageVersion}`), 0);
    return this.#info.schema(storageVersion)?.pruneStored(converted) ?? converted;
  }

  #needsNoView(stored: StoredBytes, writtenAt: number | undefined): boolean {
    return stored instanceof StoredView || this.isCurrent(stored, writtenAt);
  }

  /** Reports whether the newest definition wrote the bytes of this revision. */
  #isNewest(writtenAt: number): boolean {
    return writtenAt > this.#info.history.changedAt;
  }

  /** Reports whether a loaded object equals its view. Cheaper than comparing a view with the stored bytes. */
  #isLoadedUnchanged(stored: StoredBytes, decoded: KubeObject, writtenAt = stored.revision): boolean {
    if (stored.changesWhenRead !== undefined || !this.#isStorageVersion) return false;
    return this.#isNewest(writtenAt) && !this.changesWhenRead(decoded);
  }

  /**
   * As #coerced, but without defaults that alone exceed the size limit of an object. A list must not fail or grow
   * without bound because a schema got long defaults after the object was written.
   */
  #coercedWhenRead(decoded: KubeObject, stored: StoredBytes): KubeObject {
    try {
      return withoutEventLoopBudget(() => this.#coerced(decoded));
    } catch (error) {
      if (!isRequestTooLarge(error)) throw error;
      return this.#schemaOf(decoded).pruneStored(stored.decode());
    }
  }

  /** Prunes and defaults an object by the newest schema of its own version. @throws StatusError 500 */
  #coerced(object: KubeObject): KubeObject {
    const schema = this.#schemaOf(object);
    const pruned = schema.pruneStored(object);
    schema.setDefaults(pruned);
    return pruned;
  }

  /** @throws StatusError 500 */
  #schemaOf(object: KubeObject): CompiledSchema {
    const version = parseGroupVersion(object.apiVersion ?? '')?.version ?? '';
    const schema = this.#info.schema(version);
    if (schema === undefined) {
      throw plainError(`request to convert CR from an invalid group/version: ${object.apiVersion}`);
    }
    return schema;
  }

  /** Converts all objects at once. */
  #convertAll(
    stored: readonly StoredBytes[],
    objects: readonly KubeObject[],
    views: Map<StoredBytes, StoredView | Promise<StoredView>>,
  ): void {
    const converted = this.#info.converter.convert(objects, this.#apiVersion);
    if (!('then' in converted)) {
      for (const [index, one] of stored.entries()) views.set(one, this.#addConverted(one, elementAt(converted, index)));
      return;
    }
    for (const [index, one] of stored.entries()) {
      const view = converted.then((list) => this.#addConverted(one, elementAt(list, index))).finally(() => this.#converting.delete(one));
      view.catch(() => undefined);
      this.#converting.set(one, view);
      views.set(one, view);
    }
  }

  /** Returns undefined if the view equals the stored object, as most views do after a change of the definition. */
  #viewIfChanged(stored: StoredBytes, object: KubeObject): StoredView | undefined {
    const view = this.#newView(stored, object);
    if (this.#isStorageVersion && hasSameFields(view, stored as StoredObject) && Buffer.compare(view.json, stored.json) === 0) {
      this.#unchanged.add(stored);
      return undefined;
    }
    this.#cache.add(stored, view);
    return view;
  }

  #addConverted(stored: StoredBytes, object: KubeObject): StoredView {
    return this.#addView(stored, this.#pruned(object));
  }

  #pruned(object: KubeObject): KubeObject {
    return this.#info.schema(this.#version)?.pruneStored(object) ?? object;
  }

  #addView(stored: StoredBytes, object: KubeObject): StoredView {
    const view = this.#newView(stored, object);
    this.#cache.add(stored, view);
    return view;
  }

  #newView(stored: StoredBytes, object: KubeObject): StoredView {
    const values: Record<string, string> = {};
    for (const [label, value] of Object.entries(this.#selectable)) values[label] = value(object);
    return new StoredView(stored as StoredObject, object, values);
  }
}

/** Reports whether a member is present, but null or empty. */
const isEmptyMember = (value: object | null | undefined): boolean => value !== undefined && Object.keys(value ?? {}).length === 0;

function hasSameFields({ fields }: StoredView, stored: StoredObject): boolean {
  return Object.entries(fields).every(([label, value]) => stored.fields[label] === value);
}
