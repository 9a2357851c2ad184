import type { CollectionSource } from '../../resources/stores.ts';
import type { Collection, StoredResource } from '../../storage/object-store/contract.ts';
import type { Ask } from './ask.ts';
import { type CollectionJob, JobCollection, unsupported } from './job-collection.ts';
import type { PendingEffects } from './pending-effects.ts';

/** The store as jobs see it. */
export class JobStore implements CollectionSource, CollectionJob {
  readonly ask: Ask;
  readonly effects: PendingEffects;
  root = '';
  readonly #collections = new Map<string, JobCollection>();

  constructor(ask: Ask, effects: PendingEffects) {
    this.ask = ask;
    this.effects = effects;
  }

  async collection(resource: StoredResource): Promise<Collection> {
    const { resourcePrefix } = resource;
    let collection = this.#collections.get(resourcePrefix);
    if (collection === undefined) {
      collection = new JobCollection(this, resource);
      this.#collections.set(resourcePrefix, collection);
    }
    return collection;
  }

  forget({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): void {
    this.#collections.delete(resourcePrefix);
  }

  readonly isShared = false;
  readonly revision = unsupported;
  readonly hasObjects = unsupported;
  readonly onUnloadedWrite = unsupported;
}
