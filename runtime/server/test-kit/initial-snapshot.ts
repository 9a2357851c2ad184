import { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { readFiles } from '../../testkit/fixtures/read-files.ts';
import type { SourceObject } from '../../testkit/fixtures/source-object.ts';
import { ExactRestoration } from '../../testkit/snapshot-file/exact-restoration.ts';

/** The snapshot file with a server's initial objects. */
export class InitialSnapshot {
  readonly #objects: readonly SourceObject[];

  private constructor(objects: readonly SourceObject[]) {
    this.#objects = objects;
  }

  /** @throws FixtureError for an unreadable file */
  static async read(path: string): Promise<InitialSnapshot> {
    return new InitialSnapshot(await readFiles([path]));
  }

  restorationTo(stores: ResourceStores): ExactRestoration {
    return new ExactRestoration(stores, new RESTMapper(stores.registry), this.#objects);
  }
}
