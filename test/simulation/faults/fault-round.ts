import { HttpClient } from '../../support/http-client.ts';
import { Random } from '../../support/random.ts';
import { chooseFaults } from './faults.ts';
import { History } from './history.ts';
import { ObjectClient, type Place } from './object-client.ts';
import { Watcher } from './watcher.ts';
import { configMaps, type Kind, widgetDefinition, widgets } from './wire.ts';
import { placeOf, type World } from './world.ts';

const busy = ['a', 'b', 'c', 'd'];
const fences = Array.from({ length: 8 }, (_, at) => `fence-${at}`);
const clientCount = 5;
const watcherCount = 3;
/** Real time for servers to recover after the last fault, and for watchers to see all changes. */
const patienceMs = 60_000;

let marks = 0;

/** One seed's clients during faults, and the checks of their observations. */
export class FaultRound {
  readonly #world: World;
  readonly #random: Random;
  readonly #kind: Kind;
  readonly #namespace: string;
  readonly #history = new History();
  readonly #clients: HttpClient[] = [];
  readonly #struck: string[] = [];

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#random = new Random(seed);
    this.#kind = seed % 2 === 0 ? configMaps : widgets;
    this.#namespace = `round-${seed}`;
  }

  /** @throws an error with the faults and the broken promise */
  async run(): Promise<void> {
    try {
      await this.#prepare();
      await this.#play();
    } catch (error) {
      const struck = `after ${this.#history.answers} answers and: ${this.#struck.join(', ')}`;
      (error as Error).message += `\n${struck}\n${this.#world.log}`;
      throw error;
    } finally {
      for (const client of this.#clients) client.close();
    }
  }

  async #prepare(): Promise<void> {
    await this.#must('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition);
    await this.#must('/api/v1/namespaces', { metadata: { name: this.#namespace } });
    for (const { client } of this.#world.servers) {
      while ((await client.get(widgets.path(this.#namespace))).status !== 200);
    }
  }

  async #must(path: string, object: object): Promise<void> {
    const [{ client }] = this.#world.servers;
    const { status, body } = await client.send('POST', path, JSON.stringify(object), 'application/json');
    if (status !== 201 && status !== 409) throw new Error(body.toString());
  }

  async #play(): Promise<void> {
    const place: Place = {
      kind: this.#kind,
      namespace: this.#namespace,
      busy,
      names: [...busy, ...fences],
      history: this.#history,
      nextMark: () => ++marks,
    };
    const watchers = Array.from({ length: watcherCount }, (_, at) => this.#watcher(`w${at}`, place));
    const clients = Array.from({ length: clientCount }, (_, at) => this.#client(`c${at}`, place));
    let isOver = false;
    const watching = Promise.all(watchers.map((watcher) => watcher.run()));
    const writing = Promise.all(
      clients.map(async (client) => {
        while (!isOver) await client.step();
      }),
    );
    try {
      const wrong = Promise.race([watching, writing]);
      const strikes = this.#strike();
      await Promise.race([strikes, wrong]).finally(() => strikes.catch(() => undefined));
      isOver = true;
      await within(writing, () => 'a client has no answer');
      await within(this.#settle(clients[0]), () => 'the servers do not recover');
      const fence = await within(this.#fence(clients[0]), () => 'no write succeeds');
      for (const watcher of watchers) watcher.finish(fence);
      const positions = () => watchers.map(({ record }) => record.upTo);
      await within(watching, () => `watchers are at ${positions()} and not at ${fence}`);
    } finally {
      isOver = true;
      for (const watcher of watchers) watcher.stop();
    }
    this.#check(watchers);
  }

  /** Causes faults between answered operations. */
  async #strike(): Promise<void> {
    const answered = () => within(this.#history.progress('answers', this.#random.between(20, 60)), () => 'clients get no answers');
    for (let count = this.#random.between(1, 2); count > 0; count--) {
      await answered();
      const faults = chooseFaults(this.#world, this.#random);
      this.#struck.push(faults.map(({ name }) => name).join(' and '));
      await Promise.all(faults.map((fault) => fault.run(this.#world, this.#random, this.#history)));
    }
    await answered();
  }

  /** Reads all objects after the faults, so that acknowledged writes must be visible. */
  async #settle(client: ObjectClient): Promise<void> {
    for (const name of busy) while (!(await client.read(name)));
  }

  async #fence(client: ObjectClient): Promise<number> {
    for (const name of fences) {
      const revision = await client.create(name);
      if (revision !== undefined) return revision;
    }
    throw new Error('none of many writes succeeded');
  }

  #check(watchers: readonly Watcher[]): void {
    this.#history.checkObjects();
    this.#history.checkRevisions();
    for (const { record } of watchers) record.check();
    this.#history.checkSnapshots(watchers.some(({ record }) => record.isComplete));
  }

  #client(id: string, place: Place): ObjectClient {
    const own = this.#world.servers.map(({ options }) => HttpClient.for(placeOf(options())));
    this.#clients.push(...own);
    return new ObjectClient(id, place, own, new Random(this.#random.between(1, 1_000_000)));
  }

  #watcher(id: string, place: Place): Watcher {
    const random = new Random(this.#random.between(1, 1_000_000));
    const servers = this.#world.servers.map(({ options }) => options);
    return new Watcher(id, place, { client: this.#client(id, place), servers, random });
  }
}

async function within<T>(work: Promise<T>, about: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${about()} after ${patienceMs / 1000} seconds`)), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
