import type { IPAddress } from '../../../../generated/v1.35/networking.k8s.io/v1/types.ts';
import { isStatusError } from '../../../machinery/errors/status.ts';
import { decodedObject } from '../../../resources/loopback-client.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { RESTStorage } from '../../../resources/rest.ts';
import { newIPAddress } from '../../networking.k8s.io/ip-address.ts';
import type { ServiceName } from './allocators.ts';

/** The addresses in use. */
export interface ClusterIPRecord {
  /** @param address in canonical form */
  has(address: string, now: number): boolean;
  /** Resolves with false if the address is in use. */
  add(address: string, service: ServiceName, now: number): Promise<boolean>;
  remove(address: string, service: ServiceName): Promise<void>;
}

/** Records each address in use as an IPAddress. (ipallocator.go createIPAddress, release) */
export class IPAddressRecord implements ClusterIPRecord {
  readonly #addresses: RESTStorage;
  readonly #writer = loopbackWriter('kube-apiserver');

  constructor(addresses: RESTStorage) {
    this.#addresses = addresses;
  }

  has(address: string): boolean {
    return this.#addresses.collection.latest().get('', address) !== undefined;
  }

  async add(address: string, service: ServiceName): Promise<boolean> {
    const { definition } = this.#addresses;
    try {
      await this.#addresses.create(definition, decodedObject(definition, newIPAddress(address, service)), '', this.#writer);
      return true;
    } catch (error) {
      if (isStatusError(error) && error.status.reason === 'AlreadyExists') return false;
      throw error;
    }
  }

  /** Releases the address, unless another server gave it to another service in the meantime. */
  async remove(address: string, { namespace, name }: ServiceName): Promise<void> {
    const { definition, collection } = this.#addresses;
    const stored = collection.latest().get('', address);
    const parent = stored && (stored.decode() as IPAddress).spec?.parentRef;
    if (stored === undefined || parent?.namespace !== namespace || parent.name !== name) return;
    try {
      const request = { namespace: '', name: address, preconditions: { uid: stored.uid } };
      await this.#addresses.delete(definition, request, this.#writer);
    } catch (error) {
      // a later repair removes the address
      if (!isStatusError(error)) throw error;
    }
  }
}
