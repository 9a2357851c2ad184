import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { pathNotFound } from '../../machinery/errors/status.ts';
import type { ResourceDefinition, TypeDefinition } from '../../machinery/resource.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { getCRDStorageVersion, isCRDConditionTrue, servedNames } from './api-helpers.ts';
import type { Instances } from './controllers/finalizer.ts';
import { serviceResolver } from './conversion/service-resolver.ts';
import { buildOpenAPI } from './openapi/builder.ts';
import { CRDInfo } from './serving/crd-info.ts';
import { resourceDefinition, resourceFacts } from './serving/resource-definition.ts';
import { SchemaHistory } from './serving/schema-history.ts';
import { customResourceStrategy } from './serving/strategy.ts';
import { haveSameSchemas } from './without-schemas.ts';

export interface CustomResourceHandlerOptions {
  readonly uid: string;
  readonly name: string;
  readonly stores: ResourceStores;
  /** Reads the current definition. */
  readonly read: () => CustomResourceDefinition | undefined;
  readonly scaleType?: () => Promise<TypeDefinition>;
  /** Default: begins with the first state of the definition. */
  readonly history?: SchemaHistory;
}

/**
 * Serves one definition: no version until it is established, then each of its served versions. (apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go)
 */
export class CustomResourceHandler {
  readonly uid: string;
  readonly #options: CustomResourceHandlerOptions;
  #group = '';
  #plural = '';
  #servedVersions: readonly string[] = [];
  #storageVersion = '';
  /** Identifies the state that the definition is served from. */
  #state = '';
  /** The served state: the definition without its schemas, and the stored definition with them. */
  #source: { readonly crd: CustomResourceDefinition; readonly stored: StoredObject } | undefined;
  #terminating = false;
  #history: SchemaHistory | undefined;
  #crdInfo: CRDInfo | undefined;
  /** A built-in resource has the same name. */
  #overlapping = false;
  readonly #strategy = customResourceStrategy(() => this.#terminating);

  constructor(options: CustomResourceHandlerOptions) {
    this.uid = options.uid;
    this.#options = options;
    this.#history = options.history;
  }

  get group(): string {
    return this.#group;
  }

  /**
   * Takes over a new state of the definition.
   *
   * @param crd without its schemas
   * @param stored the same definition
   * @param previous the definition before the change
   */
  update(crd: CustomResourceDefinition, stored: StoredObject, previous?: StoredObject): void {
    this.#group = crd.spec.group;
    const terminating = isCRDConditionTrue(crd, 'Terminating');
    const terminatingChanged = terminating !== this.#terminating;
    this.#terminating = terminating;
    if (!isCRDConditionTrue(crd, 'Established')) {
      if (!isCRDConditionTrue(crd, 'NamesAccepted')) this.#withdraw();
      return;
    }
    const state = `${crd.metadata.generation} ${JSON.stringify(servedNames(crd))}`;
    if (state !== this.#state) {
      this.#recordSchemaChange(stored, previous);
      this.#serve(crd, stored, state);
    } else if (terminatingChanged) {
      const { registry } = this.#options.stores;
      for (const version of versionsServed(crd)) registry.updateFacts(resourceFacts(crd, version, this.#storageVersion));
    }
  }

  /** Returns the instances of the definition; undefined if a built-in resource has its name. */
  async instances(): Promise<Instances | undefined> {
    if (this.#overlapping) return undefined;
    const definition = await this.#load(this.#storageVersion);
    return { definition, store: await this.#options.stores.open(definition) };
  }

  /** Stops serving the definition until its conditions are true again. A client may write them. */
  #withdraw(): void {
    const { registry } = this.#options.stores;
    for (const version of this.#servedVersions) registry.remove(this.#group, version, this.#plural);
    this.#servedVersions = [];
    this.#state = '';
  }

  /** Stops serving the definition. */
  remove(): void {
    const { stores } = this.#options;
    for (const version of this.#servedVersions) stores.registry.remove(this.#group, version, this.#plural);
    if (this.#plural !== '' && !this.#overlapping) stores.setStrategy(this.#group, this.#plural, undefined);
    this.#servedVersions = [];
  }

  #recordSchemaChange(stored: StoredObject, previous?: StoredObject): void {
    if (this.#history === undefined) {
      const { stores } = this.#options;
      this.#history = new SchemaHistory(stored.revision, () => stores.revision());
    } else if (previous === undefined || !haveSameSchemas(previous, stored)) {
      this.#crdInfo?.writes.retire(this.#history);
      this.#history.changed(stored.revision);
    }
  }

  #serve(crd: CustomResourceDefinition, stored: StoredObject, state: string): void {
    const { stores, read } = this.#options;
    const { registry } = stores;
    const { plural } = servedNames(crd);
    if (this.#plural !== '' && this.#plural !== plural) this.remove();
    this.#source = { crd, stored };
    this.#state = state;
    this.#plural = plural;
    this.#crdInfo = undefined;
    this.#storageVersion = getCRDStorageVersion(crd);
    const before = this.#servedVersions;
    const versions = versionsServed(crd);
    this.#servedVersions = versions.map(({ name }) => name);
    for (const name of before) if (!this.#servedVersions.includes(name)) registry.remove(this.#group, name, plural);
    for (const version of versions) {
      const isServed = registry.put({
        facts: resourceFacts(crd, version, this.#storageVersion),
        load: () => this.#load(version.name),
        openapi: buildOpenAPI(`${this.uid} ${state}`, version.name, read),
      });
      if (!isServed) this.#overlapping = true;
    }
    if (!this.#overlapping) stores.setStrategy(this.#group, plural, this.#strategy);
  }

  async #load(versionName: string): Promise<ResourceDefinition> {
    const scaleType = await this.#options.scaleType?.();
    const crdInfo = this.#currentInfo();
    const version = crdInfo.version(versionName);
    if (version === undefined) throw pathNotFound();
    return resourceDefinition(crdInfo, version, scaleType, this.#options.stores.rules);
  }

  #currentInfo(): CRDInfo {
    if (this.#crdInfo === undefined) {
      if (this.#source === undefined) throw pathNotFound();
      const { crd, stored } = this.#source;
      this.#crdInfo = new CRDInfo({
        crd,
        history: this.#history as SchemaHistory,
        read: () => stored.decode() as CustomResourceDefinition,
        resolve: serviceResolver(this.#options.stores),
      });
    }
    return this.#crdInfo;
  }
}

const versionsServed = ({ spec }: CustomResourceDefinition): CustomResourceDefinitionVersion[] =>
  spec.versions.filter(({ served }) => served);
