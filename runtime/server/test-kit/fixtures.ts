import type { ServerOptions } from '../../options/server-options.ts';
import { inProcessUrl } from '../../serving/in-process-fetch.ts';
import type { SecureServing } from '../../serving/secure-serving.ts';
import type { SourceObject } from '../../testkit/fixtures/source-object.ts';

/** The initial objects of a server, written before it is ready and its controllers run. */
export class Fixtures {
  readonly #objects: readonly SourceObject[];
  /** Resolves when the objects are written. */
  readonly loaded: Promise<void>;
  #finish: () => void = () => undefined;

  private constructor(objects: readonly SourceObject[]) {
    this.#objects = objects;
    this.loaded = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** @throws FixtureError for unreadable files */
  static async read(fixtures: NonNullable<ServerOptions['fixtures']>): Promise<Fixtures> {
    const { readFixtures } = await import('../../testkit/fixtures/fixtures.ts');
    return new Fixtures(await readFixtures(fixtures));
  }

  /**
   * Writes the objects as the administrator.
   *
   * @throws FixtureError for the first refused object
   */
  async load({ connect }: Pick<SecureServing, 'connect'>): Promise<void> {
    const [{ loadObjects }, { RestClient }] = await Promise.all([
      import('../../testkit/fixtures/load.ts'),
      import('../../client/rest-client.ts'),
    ]);
    const client = new RestClient({ server: inProcessUrl, connect, userAgent: 'kubeloom-fixtures' });
    try {
      await loadObjects(client, this.#objects);
    } finally {
      client.close();
    }
    this.#finish();
  }
}
