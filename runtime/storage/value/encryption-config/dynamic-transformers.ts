import { identityTransformer } from '../encrypt/identity.ts';
import type { ResourceTransformers, Transformer } from '../transformer.ts';
import type { KMSPluginProbe } from './kms-plugin-probe.ts';

/** Everything that one configuration is made into. */
export interface EncryptionProviders {
  /** By `<resource>.<group>`, either of which may be `*`. */
  readonly transformers: ReadonlyMap<string, Transformer>;
  /** The key management services in use, in the order of the configuration. */
  readonly probes: readonly KMSPluginProbe[];
  /** Milliseconds to keep the services open for requests under way, after a reload. */
  readonly closeGracePeriod: number;
  close(): void;
}

/** The transformers in use, which a reload replaces. (pkg/server/options/encryptionconfig DynamicTransformers) */
export class DynamicTransformers implements ResourceTransformers {
  readonly #listeners = new Set<() => void>();
  #providers: EncryptionProviders;

  constructor(providers: EncryptionProviders) {
    this.#providers = providers;
  }

  get providers(): EncryptionProviders {
    return this.#providers;
  }

  /** Returns the providers that were in use, for the caller to close. */
  replace(providers: EncryptionProviders): EncryptionProviders {
    const replaced = this.#providers;
    this.#providers = providers;
    this.notify();
    return replaced;
  }

  transformerForResource(group: string, resource: string): Transformer {
    const { transformers } = this.#providers;
    return transformers.get(`${resource}.${group}`) ?? transformers.get(`*.${group}`) ?? transformers.get('*.*') ?? identityTransformer;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells the listeners that values may be readable that were not. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
