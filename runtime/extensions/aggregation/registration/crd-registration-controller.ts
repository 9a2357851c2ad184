import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { formatGroupVersion, type GroupVersion, parseGroupVersion } from '../../../machinery/gvk.ts';
import type { ResourceStores } from '../../../resources/stores.ts';
import { crdGroup, crdResource } from '../../crd/api-helpers.ts';
import { decodeWithoutSchemas } from '../../crd/without-schemas.ts';
import type { AutoRegisterController } from './autoregister-controller.ts';
import { crdPriority } from './priorities.ts';

/**
 * Registers the group-versions that CustomResourceDefinitions serve. They are indexed, because there may be thousands of
 * definitions. (pkg/controlplane/controller/crdregistration)
 */
export class CRDRegistrationController {
  readonly #registration: AutoRegisterController;
  /** The names of the definitions that serve each group-version. */
  readonly #definitions = new Map<string, Set<string>>();
  /** The group-versions that each definition serves. */
  readonly #served = new Map<string, readonly string[]>();
  #stop: () => void = () => undefined;

  constructor(registration: AutoRegisterController) {
    this.#registration = registration;
  }

  /** Resolves when the existing definitions are registered. */
  async start(stores: ResourceStores): Promise<void> {
    if (!stores.serves(crdGroup, 'v1', crdResource)) return;
    const { collection } = await stores.byResource(crdGroup, 'v1', crdResource);
    const snapshot = collection.latest();
    for (const stored of snapshot.scan()) this.#set(stored.name, servedBy(decodeWithoutSchemas(stored)));
    this.#stop = collection.watch({
      after: snapshot.revision,
      onEvent: ({ type, object }) => this.#set(object.name, type === 'DELETED' ? [] : servedBy(decodeWithoutSchemas(object))),
    });
  }

  close(): void {
    this.#stop();
  }

  #set(name: string, served: readonly string[]): void {
    const before = this.#served.get(name) ?? [];
    if (served.length > 0) this.#served.set(name, served);
    else this.#served.delete(name);
    for (const one of served) if (!before.includes(one)) this.#add(one, name);
    for (const one of before) if (!served.includes(one)) this.#remove(one, name);
  }

  #add(groupVersion: string, name: string): void {
    const names = this.#definitions.get(groupVersion);
    if (names !== undefined) {
      names.add(name);
      return;
    }
    this.#definitions.set(groupVersion, new Set([name]));
    this.#registration.add(parseGroupVersion(groupVersion) as GroupVersion, crdPriority, 'true');
  }

  #remove(groupVersion: string, name: string): void {
    const names = this.#definitions.get(groupVersion);
    names?.delete(name);
    if (names?.size !== 0) return;
    this.#definitions.delete(groupVersion);
    this.#registration.remove(parseGroupVersion(groupVersion) as GroupVersion);
  }
}

const servedBy = ({ spec: { group, versions } }: CustomResourceDefinition): string[] =>
  versions.filter(({ served }) => served).map(({ name }) => formatGroupVersion({ group, version: name }));
