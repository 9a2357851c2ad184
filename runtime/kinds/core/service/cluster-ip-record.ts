import { isStatusError } from '../../../machinery/errors/status.ts';
import { decodedObject } from '../../../resources/loopback-client.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { StandardStorage } from '../../../resources/rest.ts';
import { newIPAddress } from '../../networking.k8s.io/ip-address.ts';
import type { ServiceName } from './allocators.ts';

/** Which addresses are in use. */
export interface ClusterIPRecord {
  /** @param address in canonical form */
  has(address: string, now: number): boolean;
  /** Resolves with false if the address is in use. */
  add(address: string, service: ServiceName, now: number): Promise<boolean>;
  remove(address: string, service: ServiceName): Promise<void>;
}

/** An IPAddress for each address in use. (ipallocator.go createIPAddress, release) */
export class IPAddressRecord implements ClusterIPRecord {
  readonly #addresses: StandardStorage;
  readonly #writer = loopbackWriter('kube-apiserver');

  constructor(addresses: StandardStorage) {
    this.#addresses = addresses;
  }

  has(address: string): boolean {
    return this.#addresses.collection.latest().get('', address) !== undefined;
  }

  async add(address: string, service: ServiceName): Promise<boolean> {
    const { definition } = this.#addresses;
    try {
      await this.#addresses.create(
        definition,
        decodedObject(definition, newIPAddress(address, service)),
        '',
        this.#writer,
      );
      return true;
    } catch (error) {
      if (isStatusError(error) && error.status.reason === 'AlreadyExists') return false;
      throw error;
    }
  }

  async remove(address: string): Promise<void> {
    const { definition } = this.#addresses;
    try {
      await this.#addresses.delete(definition, { namespace: '', name: address }, this.#writer);
    } catch (error) {
      // what is left is repaired later
      if (!isStatusError(error)) throw error;
    }
  }
}
