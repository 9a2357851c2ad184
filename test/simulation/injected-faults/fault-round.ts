import type { FaultPlanHandle, RunningServer } from '../../../runtime/index.ts';
import { HttpClient } from '../../support/http-client.ts';
import { Random } from '../../support/random.ts';
import { FollowedObjects, lineOf } from './followed-objects.ts';
import { type FaultName, nudge, planOf } from './plans.ts';

const json = 'application/json';
const steps = 30;
/** Steps between two plans, and the maximum steps of one. */
const [between, longest] = [5, 8];

/**
 * Clients write at random and an informer watches, while their requests meet faults. After the faults, the informer has
 * the server's objects.
 */
export class FaultRound {
  readonly #server: RunningServer;
  readonly #random: Random;
  readonly #names: readonly FaultName[];
  readonly #namespace: string;
  readonly #http: HttpClient;
  readonly #plans: { readonly plan: FaultPlanHandle; readonly until: number }[] = [];
  hits = 0;

  constructor(server: RunningServer, seed: number, names: readonly FaultName[]) {
    this.#server = server;
    this.#random = new Random(seed);
    this.#names = names;
    this.#namespace = `round-${seed}-${names.length === 1 ? names[0].toLowerCase() : 'mix'}`;
    this.#http = HttpClient.for(server);
  }

  async run(): Promise<void> {
    const { kubeconfig } = this.#server;
    await this.#http.send('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: this.#namespace } }), json);
    const informer = new FollowedObjects(kubeconfig, this.#namespace, this.#random.chance(0.5));
    try {
      await informer.start();
      for (let step = 0; step < steps; step++) await this.#step(step);
      for (const { plan } of this.#plans.splice(0)) this.#remove(plan);
      await informer.until(await this.#objects());
    } finally {
      for (const { plan } of this.#plans) plan.remove();
      await informer.stop();
      this.#http.close();
    }
  }

  async #step(step: number): Promise<void> {
    const over = this.#plans.filter(({ until }) => until <= step);
    for (const ended of over) {
      this.#plans.splice(this.#plans.indexOf(ended), 1);
      this.#remove(ended.plan);
    }
    if (step % between === 0) await this.#add(step, this.#random.pick(this.#names));
    await Promise.all([this.#write(), this.#write()]);
  }

  async #add(step: number, name: FaultName): Promise<void> {
    const plan = await this.#server.faults.add(planOf(name, this.#namespace, this.#random));
    this.#plans.push({ plan, until: step + this.#random.between(1, longest) });
    if (this.#random.chance(0.7)) {
      const again = await this.#server.faults.add(nudge(this.#namespace, this.#random));
      this.#plans.push({ plan: again, until: step + 1 });
    }
  }

  #remove(plan: FaultPlanHandle): void {
    this.hits += plan.hits;
    plan.remove();
  }

  /** Sends a write that may fail. */
  async #write(): Promise<void> {
    const name = `s-${this.#random.between(1, 8)}`;
    const collection = `/api/v1/namespaces/${this.#namespace}/secrets`;
    const body = JSON.stringify({ metadata: { name }, stringData: { value: String(this.#random.next()) } });
    const [method, path] = this.#random.pick([
      ['POST', collection],
      ['PUT', `${collection}/${name}`],
      ['PUT', `${collection}/${name}`],
      ['DELETE', `${collection}/${name}`],
    ]);
    await this.#http.send(method, path, method === 'DELETE' ? undefined : body, json).catch(() => undefined);
  }

  /** Returns the server's objects, also across a restart. */
  async #objects(): Promise<string[]> {
    for (;;) {
      try {
        const { json: list } = await this.#http.get(`/api/v1/namespaces/${this.#namespace}/secrets`);
        return list.items.map(lineOf);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      }
    }
  }
}
