import type { Attributes } from '../machinery/admission.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';

/** The properties of a write that decide which plugins handle it. */
export type OperationKey = Pick<Attributes, 'definition' | 'operation' | 'subresource'>;

/** A cache by kind of write. Entries live as long as the resource is served. */
export class OperationCache<T extends NonNullable<unknown>> {
  #byDefinition = new WeakMap<ResourceDefinition, Map<string, T>>();

  get({ definition, operation, subresource }: OperationKey): T | undefined {
    return this.#byDefinition.get(definition)?.get(keyOf(operation, subresource));
  }

  set({ definition, operation, subresource }: OperationKey, value: T): void {
    const known = this.#byDefinition.get(definition);
    const key = keyOf(operation, subresource);
    if (known === undefined) this.#byDefinition.set(definition, new Map([[key, value]]));
    else known.set(key, value);
  }

  clear(): void {
    this.#byDefinition = new WeakMap();
  }
}

const keyOf = (operation: string, subresource: string): string => (subresource === '' ? operation : `${operation}/${subresource}`);
