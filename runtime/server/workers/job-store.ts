import type { CollectionSource } from '../../resources/stores.ts';
import type { Collection, StoredResource } from '../../storage/object-store/contract.ts';
import { JobCollection } from './job-collection.ts';
import type { JobState } from './job-state.ts';

/** The collections of all resources as jobs see them. */
export class JobStore implements CollectionSource {
  readonly #job: JobState;
  readonly #collections = new Map<string, JobCollection>();

  constructor(job: JobState) {
    this.#job = job;
  }

  async collection(resource: StoredResource): Promise<Collection> {
    const { resourcePrefix } = resource;
    let collection = this.#collections.get(resourcePrefix);
    if (collection === undefined) {
      collection = new JobCollection(this.#job, resource);
      this.#collections.set(resourcePrefix, collection);
    }
    return collection;
  }

  forget({ resourcePrefix }: Pick<StoredResource, 'resourcePrefix'>): void {
    this.#collections.delete(resourcePrefix);
  }

  revision(): number {
    return this.#job.facts.revision;
  }

  get isShared(): boolean {
    return unsupported('isShared');
  }

  async hasObjects(): Promise<boolean> {
    return unsupported('hasObjects');
  }

  onUnloadedWrite(): () => void {
    return unsupported('onUnloadedWrite');
  }
}

function unsupported(what: string): never {
  throw new Error(`the store of a job has no ${what}`);
}
