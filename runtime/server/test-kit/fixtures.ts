import type { ServerOptions } from '../../options/server-options.ts';
import { inProcessUrl } from '../../serving/in-process-fetch.ts';
import type { SourceObject } from '../../testkit/fixtures/source-object.ts';
import type { SecureServing } from '../secure-serving.ts';

/** The objects that a server has from the beginning, before it is ready and its controllers run. */
export class Fixtures {
  readonly #objects: readonly SourceObject[];
  /** Resolves when they are there. */
  readonly loaded: Promise<void>;
  #finish: () => void = () => undefined;

  private constructor(objects: readonly SourceObject[]) {
    this.#objects = objects;
    this.loaded = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** @throws FixtureError for files that cannot be read */
  static async read(fixtures: NonNullable<ServerOptions['fixtures']>): Promise<Fixtures> {
    const { readFixtures } = await import('../../testkit/fixtures/fixtures.ts');
    return new Fixtures(await readFixtures(fixtures));
  }

  /** Writes them as the administrator. @throws FixtureError for the first that is refused */
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
