import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isStatusError } from '../../runtime/machinery/errors/status.ts';
import { Random } from '../support/random.ts';
import type { TestObject } from '../support/test-object.ts';
import { milli, QuotaModel } from './quota-model.ts';
import { QuotaWorld } from './quota-world.ts';
import { rounds } from './rounds.ts';

const resources = ['pods', 'configmaps', 'services', 'resourcequotas'];
const kinds = [
  {
    spec: {},
    names: ['pods', 'requests.cpu', 'count/pods', 'configmaps', 'count/configmaps', 'services', 'services.nodeports'],
  },
  { spec: { scopes: ['BestEffort'] }, names: ['pods'] },
  { spec: { scopes: ['NotBestEffort'] }, names: ['pods', 'requests.cpu'] },
];

/** Returns the status of a quota with amounts in thousandths. */
function saidBy({ status = {} }: TestObject) {
  const inThousandths = (list: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, milli(amount)]));
  return { hard: inThousandths(status.hard), used: inThousandths(status.used) };
}

/** Lets the controller run until all statuses are correct, or its time is over. */
async function untilTrue(model: QuotaModel): Promise<void> {
  const isTrue = (quota: TestObject) => isDeepStrictEqual(saidBy(quota), model.truthOf(quota));
  for (let turns = 0; turns < 200 && ![...model.quotas.values()].every(isTrue); turns++) await setImmediate();
}

describe('quotas and parallel writers', () => {
  let world: QuotaWorld;
  const models = new Map<string, QuotaModel>();
  const stops: (() => void)[] = [];
  beforeAll(async () => {
    world = await QuotaWorld.open();
    for (const resource of resources) {
      const { collection } = (await world.of(resource)).store;
      const onEvent = (event: Parameters<QuotaModel['onEvent']>[1]) => models.get(event.object.namespace)?.onEvent(resource, event);
      stops.push(collection.watch({ after: collection.latest().revision, onEvent }));
    }
  });
  afterAll(async () => {
    for (const stop of stops) stop();
    await world.close();
  });

  /** One writer of a round. It acts at random moments, and may be refused. */
  class Writer {
    readonly #random: Random;
    readonly #namespace: string;
    readonly #model: QuotaModel;

    constructor(random: Random, namespace: string, model: QuotaModel) {
      this.#random = random;
      this.#namespace = namespace;
      this.#model = model;
    }

    async write(): Promise<void> {
      for (let turns = this.#random.between(0, 3); turns > 0; turns--) await setImmediate();
      try {
        await this.#random.pick([() => this.#create(), () => this.#create(), () => this.#create(), () => this.#change()])();
      } catch (error) {
        if (!isStatusError(error)) throw error;
        const { code, message = '' } = error.status;
        if (code === 404 || code === 409) return;
        expect(message).toMatch(/ is forbidden: (denied|failed quota: |exceeded quota: )/);
        this.#requireReason(message);
      }
    }

    /** Checks that a refused write requested more than was left. */
    #requireReason(message: string): void {
      const [, requested, used, limited] = /requested: (.*), used: (.*), limited: (.*)$/.exec(message) ?? [];
      if (requested === undefined) return;
      const amounts = (text: string) => text.split(',').map((pair) => milli(pair.split('=')[1] as string));
      const [more, before, most] = [requested, used as string, limited as string].map(amounts) as [number[], number[], number[]];
      for (const [index, amount] of more.entries()) expect(amount + before[index]).toBeGreaterThan(most[index] as number);
    }

    async #create(): Promise<void> {
      const random = this.#random;
      const metadata = {
        name: `o${random.between(0, 7)}`,
        ...(random.chance(0.2) ? { labels: { denied: 'true' } } : {}),
      };
      const dryRun = random.chance(0.1);
      const cpu = random.pick([undefined, '100m', '300m', '500m']);
      const objects: Record<string, object> = {
        pods: { spec: { containers: [{ name: 'c', image: 'i', ...(cpu && { resources: { requests: { cpu } } }) }] } },
        configmaps: {},
        services: { spec: { type: random.pick(['ClusterIP', 'NodePort']), ports: [{ port: 80 }] } },
      };
      const resource = random.pick(['pods', 'pods', 'configmaps', 'services']);
      await world.create(resource, this.#namespace, { metadata, ...objects[resource] }, dryRun);
    }

    async #change(): Promise<void> {
      const random = this.#random;
      const namespace = this.#namespace;
      const resource = random.pick(['pods', 'pods', 'configmaps', 'services', 'resourcequotas']);
      const names = resource === 'resourcequotas' ? [...this.#model.quotas.keys()] : this.#model.names(resource);
      if (names.length === 0) return;
      const name = random.pick(names);
      if (resource === 'resourcequotas' && random.chance(0.8)) {
        await world.update(resource, { namespace, name }, ({ spec }) => {
          for (const limit of Object.keys(spec.hard)) spec.hard[limit] = random.pick(['1', '2', '4']);
        });
      } else if (resource === 'pods' && random.chance(0.4)) {
        await world.update(resource, { namespace, name, part: 'status' }, (pod) => {
          pod.status.phase = 'Succeeded';
        });
      } else if (resource === 'services' && random.chance(0.5)) {
        await world.update(resource, { namespace, name }, ({ spec }) => {
          Object.assign(spec, { type: 'NodePort', externalTrafficPolicy: 'Cluster' });
        });
      } else await world.delete(resource, namespace, name);
    }
  }

  test(
    'used is never below what is stored nor raised above hard, and nothing is lost',
    rounds(1000, async (seed) => {
      const random = new Random(seed);
      const namespace = `round-${seed}`;
      const model = new QuotaModel();
      models.set(namespace, model);
      const writers = () => Array.from({ length: random.between(2, 6) }, () => new Writer(random, namespace, model).write());
      const quotas = kinds
        .filter(() => random.chance(0.6))
        .map(({ spec, names }, index) => {
          const bounded = names.filter(() => random.chance(0.6));
          const hard = Object.fromEntries((bounded.length > 0 ? bounded : ['pods']).map((name) => [name, String(random.between(0, 5))]));
          return world.create('resourcequotas', namespace, {
            metadata: { name: `q${index}` },
            spec: { hard, ...spec },
          });
        });
      await Promise.all([...quotas, ...writers()]);
      await untilTrue(model);
      model.watchAll();
      await Promise.all(writers());
      await untilTrue(model);
      expect(model.problems).toEqual([]);
      expect([...model.quotas.values()].map(saidBy)).toEqual([...model.quotas.values()].map((quota) => model.truthOf(quota)));
      models.delete(namespace);
    }),
    120_000,
  );

  test('exactly as many of 64 parallel writers succeed as a quota has room for', async () => {
    const namespace = 'exactly';
    await world.create('resourcequotas', namespace, { metadata: { name: 'q' }, spec: { hard: { configmaps: '40' } } });
    const write = async (name: string): Promise<number> => {
      try {
        await world.create('configmaps', namespace, { metadata: { name } });
        return 201;
      } catch (error) {
        if (!isStatusError(error)) throw error;
        return error.status.code;
      }
    };
    const names = Array.from({ length: 64 }, (_, index) => `c${index}`);
    const codes = await Promise.all(names.map(write));
    expect(codes.filter((code) => code === 201)).toHaveLength(40);
    expect(codes.filter((code) => code === 403)).toHaveLength(24);
    const [first, second] = names.filter((_, index) => codes[index] === 201);
    await Promise.all([first, second].map((name) => world.delete('configmaps', namespace, name as string)));
    // released quota is available at once
    expect((await Promise.all(['x', 'y', 'z'].map(write))).sort()).toEqual([201, 201, 403]);
  });
});
