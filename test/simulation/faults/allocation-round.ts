import { setTimeout } from 'node:timers/promises';
import { HttpClient, type HttpResponse } from '../../support/http-client.ts';
import { Random } from '../../support/random.ts';
import { WatchStream } from '../../support/watch-stream.ts';
import { chooseFaults } from './faults.ts';
import { GivenServices } from './given-services.ts';
import { History } from './history.ts';
import { placeOf, type World } from './world.ts';

/** The number of services that the quota allows. */
const hard = 6;
const clientCount = 4;
/** Real time for servers to recover after the last fault. */
const patienceMs = 60_000;

/**
 * Clients of several servers that create and delete services during faults. Services need addresses, ports and quota.
 */
export class AllocationRound {
  readonly #world: World;
  readonly #random: Random;
  readonly #namespace: string;
  readonly #path: string;
  readonly #given = new GivenServices(hard);
  /** Only counts responses. */
  readonly #history = new History();
  readonly #clients: HttpClient[] = [];
  readonly #struck: string[] = [];
  #isOver = false;
  #stream: WatchStream | undefined;
  #created = 0;

  constructor(seed: number, world: World) {
    this.#world = world;
    this.#random = new Random(seed);
    this.#namespace = `given-${seed}`;
    this.#path = `/api/v1/namespaces/${this.#namespace}/services`;
  }

  /** @throws an error with the faults and the broken promise */
  async run(): Promise<void> {
    for (const { options } of this.#world.servers) this.#clients.push(HttpClient.for(placeOf(options())));
    try {
      await this.#until(() => this.#send('POST', '/api/v1/namespaces', { metadata: { name: this.#namespace } }));
      const quota = { metadata: { name: 'quota' }, spec: { hard: { services: String(hard) } } };
      await this.#until(() => this.#send('POST', `/api/v1/namespaces/${this.#namespace}/resourcequotas`, quota));
      for (const client of this.#clients) await this.#bounded(client);
      const watching = this.#watch();
      const writing = Promise.all(Array.from({ length: clientCount }, () => this.#write()));
      await Promise.race([this.#strike(), watching]);
      this.#isOver = true;
      await writing;
      await this.#exhaust();
      this.#stream?.close();
      await watching;
      // later rounds need the ranges
      await this.#until(() => this.#send('DELETE', this.#path));
    } catch (error) {
      (error as Error).message += `\nafter: ${this.#struck.join(', ')}\n${this.#world.log}`;
      throw error;
    } finally {
      this.#isOver = true;
      this.#stream?.close();
      for (const client of this.#clients) client.close();
    }
  }

  /** Resolves when a server knows the quota and its usage. */
  async #bounded(client: HttpClient): Promise<void> {
    const path = `/api/v1/namespaces/${this.#namespace}/resourcequotas/quota`;
    for (;;) {
      const { status, json } = await client.get(path);
      if (status === 200 && json.status?.used?.services !== undefined) return;
      await setTimeout(20);
    }
  }

  async #strike(): Promise<void> {
    for (let count = 2; count > 0; count--) {
      await this.#history.progress('answers', 20);
      const faults = chooseFaults(this.#world, this.#random);
      this.#struck.push(faults.map(({ name }) => name).join(' and '));
      await Promise.all(faults.map((fault) => fault.run(this.#world, this.#random, this.#history)));
    }
    await this.#history.progress('answers', 20);
  }

  async #write(): Promise<void> {
    const mine: string[] = [];
    while (!this.#isOver) {
      if (mine.length > 0 && this.#random.chance(0.5)) {
        const name = mine[0];
        const answer = await this.#send('DELETE', `${this.#path}/${name}`);
        if (answer?.status === 200 || answer?.status === 404) mine.shift();
      } else {
        const name = `s${this.#created++}`;
        const answer = await this.#create(name);
        // without a response the service may exist; it is deleted if it does
        if (answer?.status !== 403) mine.push(name);
      }
    }
  }

  #create(name: string): Promise<HttpResponse | undefined> {
    return this.#send('POST', this.#path, { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });
  }

  /**
   * After all faults, checks that no more services can be created than the quota allows. A killed server's reservations
   * may be missing.
   */
  async #exhaust(): Promise<void> {
    for (let count = 2 * hard; count > 0; count--) {
      await this.#until(() => this.#create(`s${this.#created++}`));
      this.#checked(await this.#until(() => this.#send('GET', this.#path)));
    }
  }

  #checked({ json }: HttpResponse): void {
    new GivenServices(hard).list(json.items, Number(json.metadata.resourceVersion));
  }

  /** Watches until the round is over, and lists again when necessary. */
  async #watch(): Promise<void> {
    let mustList = true;
    while (!this.#isOver) {
      const place = placeOf(this.#random.pick(this.#world.servers).options());
      if (mustList) {
        const found = await this.#send('GET', this.#path);
        if (found?.status !== 200) continue;
        this.#given.list(found.json.items, Number(found.json.metadata.resourceVersion));
        mustList = false;
      }
      const path = `${this.#path}?watch=1&resourceVersion=${this.#given.revision}`;
      const stream = await WatchStream.open(place, path).catch(() => setTimeout(20));
      if (!(stream instanceof WatchStream)) continue;
      this.#stream = stream;
      mustList = stream.status === 410;
      while (stream.status === 200 && !this.#isOver) {
        const event = await stream.next();
        if (event === undefined) break;
        mustList = event.type === 'ERROR';
        if (mustList) break;
        this.#given.take(event);
      }
      stream.close();
    }
  }

  /** Returns undefined without a response; the outcome may then be unknown. */
  async #send(method: string, path: string, body?: object): Promise<HttpResponse | undefined> {
    const client = this.#random.pick(this.#clients);
    const signal = AbortSignal.timeout(3000);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await client.send(method, path, text, 'application/json', { signal }).catch(() => setTimeout(20));
    if (!answer || answer.status >= 500) return undefined;
    this.#history.answered();
    if (answer.status < 300 || [403, 404, 409, 429].includes(answer.status)) return answer;
    throw new Error(`${method} ${path} is answered ${answer.status}: ${answer.body.toString().slice(0, 1000)}`);
  }

  async #until(send: () => Promise<HttpResponse | undefined>): Promise<HttpResponse> {
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const answer = await send();
      if (answer !== undefined) return answer;
    }
    throw new Error('there are no answers');
  }
}
