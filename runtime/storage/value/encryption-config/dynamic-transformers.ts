import { identityTransformer } from '../encrypt/identity.ts';
import type { ResourceTransformers, Transformer } from '../transformer.ts';
import type { KMSPluginProbe } from './kms-plugin-probe.ts';

/** The transformers and services of one configuration. */
export interface EncryptionProviders {
  /** Transformers by `<resource>.<group>`. Both parts may be `*`. */
  readonly transformers: ReadonlyMap<string, Transformer>;
  /** The key management services in configuration order. */
  readonly probes: readonly KMSPluginProbe[];
  /** Milliseconds for which services stay open for running requests after a reload. */
  readonly closeGracePeriod: number;
  close(): void;
}

/** The current transformers, which a reload replaces. (pkg/server/options/encryptionconfig DynamicTransformers) */
export class DynamicTransformers implements ResourceTransformers {
  readonly #listeners = new Set<() => void>();
  #providers: EncryptionProviders;

  constructor(providers: EncryptionProviders) {
    this.#providers = providers;
  }

  get providers(): EncryptionProviders {
    return this.#providers;
  }

  /** Returns the earlier providers, which the caller must close. */
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

  /** Tells the listeners that unreadable values may be readable now. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
