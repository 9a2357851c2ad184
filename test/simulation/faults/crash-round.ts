import { setTimeout } from 'node:timers/promises';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { Random } from '../../support/random.ts';
import { CrashLedger } from './crash-ledger.ts';
import { History } from './history.ts';
import { configMaps, dataOf, type Kind, widgetDefinition, widgets } from './wire.ts';
import { placeOf, type World } from './world.ts';

const writerCount = 64;
const namesOfWriter = 3;
/** The minimum number of responses before the server is killed. */
const leastAnswers = 200;
/** Real time for the deletion of namespaces and definitions after the kill. */
const patienceMs = 60_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'crash.example.io';

const ledgers = new WeakMap<World, CrashLedger>();
let marks = 0;

/**
 * Kills a server while 64 clients write config maps and custom resources, definitions are created and deleted, a
 * written namespace is deleted, and the store is compacted.
 */
export class CrashRound {
  readonly #world: World;
  readonly #random: Random;
  readonly #ledger: CrashLedger;
  readonly #answers = new History();
  readonly #clients: HttpClient[] = [];
  readonly #stable: string;
  readonly #going: string;
  readonly #plural: string;
  /** Definitions that must exist (true), or be deleted (false). */
  readonly #defined = new Map<string, boolean>();
  /** The deletion of the namespace was requested, and was acknowledged. */
  #isGoing = false;
  #isDeleted = false;
  #isKilled = false;

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#random = new Random(seed);
    this.#ledger = ledgers.get(world) ?? new CrashLedger();
    ledgers.set(world, this.#ledger);
    this.#stable = `stable-${seed}`;
    this.#going = `going-${seed}`;
    this.#plural = `things${seed}`;
  }

  /** @throws an error with the broken promise */
  async run(): Promise<void> {
    try {
      await this.#prepare();
      const working = Promise.all([...this.#writers(), this.#defineAndUndefine(), this.#deleteNamespace()]);
      const { process, restart } = this.#world.servers[0];
      const ready = this.#answers.progress('answers', this.#random.between(leastAnswers, 800));
      await Promise.race([ready, working]);
      this.#isKilled = true;
      await process.kill();
      await working;
      await restart();
      await this.#check();
    } catch (error) {
      (error as Error).message += `\nafter ${this.#answers.answers} answers\n${this.#world.log}`;
      throw error;
    } finally {
      for (const client of this.#clients) client.close();
    }
  }

  get #client(): HttpClient {
    return this.#world.servers[0].client;
  }

  async #prepare(): Promise<void> {
    const must = async (path: string, object: object) => {
      const { status, body } = await this.#client.send('POST', path, JSON.stringify(object), 'application/json');
      if (status !== 201 && status !== 409) throw new Error(body.toString());
    };
    await must(definitions, widgetDefinition);
    for (const name of [this.#stable, this.#going]) await must('/api/v1/namespaces', { metadata: { name } });
    while ((await this.#client.get(widgets.path(this.#stable))).status !== 200);
  }

  #writers(): Promise<void>[] {
    const options = this.#world.servers[0].options();
    return Array.from({ length: writerCount }, async (_, id) => {
      const client = HttpClient.for(placeOf(options));
      this.#clients.push(client);
      const random = new Random(this.#random.between(1, 1_000_000));
      while (!this.#isKilled) await this.#write(client, random, `writer-${id}-${random.between(1, namesOfWriter)}`);
    });
  }

  async #write(client: HttpClient, random: Random, name: string): Promise<void> {
    const kind = random.pick([configMaps, widgets]);
    const namespace = random.chance(0.8) ? this.#stable : this.#going;
    const [all, path] = [kind.path(namespace), `${kind.path(namespace)}/${name}`];
    const isThere = this.#ledger.state(path) !== undefined;
    const mark = isThere && random.chance(0.3) ? undefined : ++marks;
    this.#ledger.begin(path, mark);
    const response = await this.#request(client, ...requestOf({ kind, name, all, path, mark, isThere }));
    if (response === undefined) return;
    if (response.status === 200 || response.status === 201) {
      return this.#ledger.acknowledge(path, mark === undefined ? undefined : response.json);
    }
    if (namespace === this.#going && this.#isGoing) return setTimeout(5);
    throw new Error(`${path}: ${response.body.toString()}`);
  }

  /** Creates definitions one after the other, and deletes every second one. */
  async #defineAndUndefine(): Promise<void> {
    for (let count = 1; !this.#isKilled; count++) {
      const plural = `${this.#plural}x${count}`;
      const path = `${definitions}/${plural}.${group}`;
      const created = await this.#request(this.#client, 'POST', definitions, definitionOf(plural));
      if (created?.status !== 201) continue;
      this.#defined.set(path, true);
      if (count % 2 === 0) continue;
      this.#defined.delete(path);
      const deleted = await this.#request(this.#client, 'DELETE', path);
      if (deleted?.status === 200) this.#defined.set(path, false);
    }
  }

  async #deleteNamespace(): Promise<void> {
    await this.#answers.progress('answers', this.#random.between(50, leastAnswers - writerCount));
    this.#isGoing = true;
    const response = await this.#request(this.#client, 'DELETE', `/api/v1/namespaces/${this.#going}`);
    if (response === undefined) return;
    if (response.status !== 200) throw new Error(response.body.toString());
    this.#isDeleted = true;
  }

  /** Returns undefined if the server was killed before its response. */
  async #request(
    client: HttpClient,
    method: string,
    path: string,
    body?: object,
    contentType = 'application/json',
  ): Promise<HttpResponse | undefined> {
    try {
      const response = await client.send(method, path, body && JSON.stringify(body), contentType);
      this.#answers.answered();
      return response;
    } catch (error) {
      if (this.#isKilled) return undefined;
      throw error;
    }
  }

  async #check(): Promise<void> {
    for (const kind of [configMaps, widgets]) {
      const path = kind.path(this.#stable);
      const { json } = await this.#client.get(path);
      const written = json.items.filter((item: { metadata: { name: string } }) => item.metadata.name.startsWith('writer-'));
      this.#ledger.check(`${path}/`, written);
      const { resourceVersion } = json.metadata;
      if (Number(resourceVersion) < this.#ledger.revision) {
        throw new Error(`the revision went back from ${this.#ledger.revision} to ${resourceVersion}`);
      }
    }
    for (const [path, isThere] of this.#defined) await this.#becomes(path, isThere ? 200 : 404);
    if (this.#isDeleted) await this.#becomes(`/api/v1/namespaces/${this.#going}`, 404);
    for (const kind of [configMaps, widgets]) this.#ledger.forget(kind.path(this.#going));
  }

  async #becomes(path: string, status: number): Promise<void> {
    const until = performance.now() + patienceMs;
    for (;;) {
      const found = await this.#client.get(path);
      if (found.status === status) return;
      if (status === 200 || performance.now() > until) throw new Error(`${path}: ${found.body.toString()}`);
      await setTimeout(20);
    }
  }
}

interface Write {
  readonly kind: Kind;
  readonly name: string;
  readonly all: string;
  readonly path: string;
  /** Undefined for a deletion. */
  readonly mark: number | undefined;
  readonly isThere: boolean;
}

function requestOf({ kind, name, all, path, mark, isThere }: Write): [string, string, object?, string?] {
  if (mark === undefined) return ['DELETE', path];
  const data = dataOf(name, mark);
  if (isThere) return ['PATCH', path, { data }, 'application/merge-patch+json'];
  return ['POST', all, { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, data }];
}

const definitionOf = (plural: string): object => ({
  ...widgetDefinition,
  metadata: { name: `${plural}.${group}` },
  spec: { ...widgetDefinition.spec, group, names: { plural, kind: plural } },
});
