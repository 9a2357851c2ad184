import { pathNotFound } from '../../machinery/errors/status.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceStore } from '../../resources/resource-store.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import {
  type CustomResourceDefinition,
  getCRDStorageVersion,
  isTrue,
  servedNames,
  type Version,
} from './api-helpers.ts';
import { serviceAddresses } from './conversion/service-resolver.ts';
import { buildOpenAPI } from './openapi/builder.ts';
import { CRDInfo } from './serving/crd-info.ts';
import { instanceHooks } from './serving/instance-hooks.ts';
import { customResource, resourceFacts } from './serving/resource-definition.ts';
import { SchemaHistory } from './serving/schema-history.ts';
import { haveSameSchemas } from './without-schemas.ts';

export interface CustomResourceHandlerOptions {
  readonly uid: string;
  readonly name: string;
  readonly stores: ResourceStores;
  /** The definition as it is now. */
  readonly read: () => CustomResourceDefinition | undefined;
  readonly scaleType?: () => Promise<TypeDefinition>;
  /** Default: from the first state of the definition that is followed. */
  readonly history?: SchemaHistory;
}

/** What one definition is served as: nothing until it is established, then each of its served versions. */
export class CustomResourceHandler {
  readonly uid: string;
  readonly #parts: CustomResourceHandlerOptions;
  #group = '';
  #plural = '';
  #served: readonly string[] = [];
  #storageVersion = '';
  #state = '';
  /** What it is served from: a sketch, and the whole definition where that does not do. */
  #from: { readonly crd: CustomResourceDefinition; readonly stored: StoredObject } | undefined;
  #terminating = false;
  #history: SchemaHistory | undefined;
  #versions: CRDInfo | undefined;
  #hidden = false;

  constructor(parts: CustomResourceHandlerOptions) {
    this.uid = parts.uid;
    this.#parts = parts;
    this.#history = parts.history;
  }

  get group(): string {
    return this.#group;
  }

  /**
   * @param crd a sketch of `stored`
   * @param previous the definition before this change
   */
  follow(crd: CustomResourceDefinition, stored: StoredObject, previous?: StoredObject): void {
    this.#group = crd.spec.group;
    const terminating = isTrue(crd, 'Terminating');
    const changed = terminating !== this.#terminating;
    this.#terminating = terminating;
    if (!isTrue(crd, 'Established')) return;
    const state = `${crd.metadata.generation} ${JSON.stringify(servedNames(crd))}`;
    if (state !== this.#state) this.#serve(crd, state, stored, previous);
    else if (changed) {
      const { registry } = this.#parts.stores;
      for (const version of servedVersions(crd))
        registry.updateFacts(resourceFacts(crd, version, this.#storageVersion));
    }
  }

  /**
   * Where its objects are, and the definition at the version that they are stored at, served or not; undefined where a
   * built-in resource has the name.
   */
  async objects(): Promise<{ store: ResourceStore; definition: ResourceDefinition } | undefined> {
    if (this.#hidden) return undefined;
    const definition = await this.#define(this.#storageVersion);
    return { definition, store: await this.#parts.stores.of(definition) };
  }

  end(): void {
    const { stores } = this.#parts;
    for (const version of this.#served) stores.registry.remove(this.#group, version, this.#plural);
    if (this.#plural !== '' && !this.#hidden) stores.setStrategy(this.#group, this.#plural, undefined);
    this.#served = [];
  }

  #serve(crd: CustomResourceDefinition, state: string, stored: StoredObject, previous?: StoredObject): void {
    const { stores } = this.#parts;
    const { registry } = stores;
    const { plural } = servedNames(crd);
    if (this.#plural !== '' && this.#plural !== plural) this.end();
    if (this.#history === undefined) this.#history = new SchemaHistory(stored.revision, () => stores.revision());
    else if (previous === undefined || !haveSameSchemas(previous, stored)) {
      this.#versions?.writes.retire(this.#history);
      this.#history.changed(stored.revision);
    }
    this.#from = { crd, stored };
    this.#state = state;
    this.#plural = plural;
    this.#versions = undefined;
    this.#storageVersion = getCRDStorageVersion(crd);
    const before = this.#served;
    const served = servedVersions(crd);
    this.#served = served.map(({ name }) => name);
    for (const name of before) if (!this.#served.includes(name)) registry.remove(this.#group, name, plural);
    for (const version of served) {
      const put = registry.put({
        facts: resourceFacts(crd, version, this.#storageVersion),
        load: () => this.#define(version.name),
        openapi: buildOpenAPI(`${this.uid} ${state}`, version.name, () => this.#parts.read()),
      });
      if (!put) this.#hidden = true;
    }
    if (!this.#hidden) stores.setStrategy(this.#group, plural, this.#hooks);
  }

  readonly #hooks = instanceHooks(() => this.#terminating);

  async #define(name: string): Promise<ResourceDefinition> {
    const scaleType = await this.#parts.scaleType?.();
    const versions = this.#versionsNow();
    const version = versions.version(name);
    if (version === undefined) throw pathNotFound();
    return customResource(versions, version, scaleType);
  }

  #versionsNow(): CRDInfo {
    if (this.#versions === undefined) {
      if (this.#from === undefined) throw pathNotFound();
      const { crd, stored } = this.#from;
      const read = (): CustomResourceDefinition => stored.decode() as CustomResourceDefinition;
      this.#versions = new CRDInfo(crd, this.#history as SchemaHistory, read, serviceAddresses(this.#parts.stores));
    }
    return this.#versions;
  }
}

const servedVersions = ({ spec }: CustomResourceDefinition): Version[] => spec.versions.filter(({ served }) => served);
