import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  CoreV1Api,
  type Informer,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  type ObjectCache,
} from '@kubernetes/client-node';
import { CutProxy } from '../support/cut-proxy.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ObjectFixture, storages } from '../support/object-fixture.ts';
import { Random } from '../support/random.ts';

const namespace = 'default';
const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';
const versionOf = ({ metadata }: KubernetesObject): number => Number(metadata?.resourceVersion);

/** An informer that restarts after each failure, with its reports. */
class Kept {
  readonly #informer: Informer<KubernetesObject> & ObjectCache<KubernetesObject>;
  /** The objects according to its callbacks. */
  readonly told = new Map<string, number>();
  readonly wrong: string[] = [];
  lists = 0;
  #stopped = false;
  #wake = (): void => {};

  constructor(config: KubeConfig, resource: string, list: () => Promise<KubernetesListObject<KubernetesObject>>) {
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/${resource}`, () => {
      this.lists++;
      return list();
    });
    this.#informer.on('add', (object) => this.#note(object, (known) => known === undefined));
    this.#informer.on('update', (object) => this.#note(object, (known) => known !== undefined));
    this.#informer.on('delete', (object) => {
      if (!this.told.delete(nameOf(object))) this.wrong.push(`delete of ${nameOf(object)}, which is not there`);
      this.#wake();
    });
    this.#informer.on('error', () => {
      if (!this.#stopped) setImmediate(() => void this.#informer.start());
    });
  }

  start(): Promise<void> {
    return this.#informer.start();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#informer.stop();
  }

  /** Returns the objects in its cache. */
  cached(): string[] {
    return this.#informer.list().map(lineOf).sort();
  }

  /** Resolves when the cache has exactly these objects. */
  async until(want: readonly string[]): Promise<void> {
    const wanted = [...want].sort().join();
    while (this.cached().join() !== wanted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #note(object: KubernetesObject, fits: (known: number | undefined) => boolean): void {
    const known = this.told.get(nameOf(object));
    if (!fits(known)) this.wrong.push(`${lineOf(object)} told when ${known} was known`);
    if (known !== undefined && known >= versionOf(object)) this.wrong.push(`${lineOf(object)} told after ${known}`);
    this.told.set(nameOf(object), versionOf(object));
    this.#wake();
  }
}

const lineOf = (object: KubernetesObject): string => `${nameOf(object)}@${versionOf(object)}`;

describe.each(storages)("client-node's informers over %s storage", (storage) => {
  const clock = new ManualClock();
  let fixture: ObjectFixture;
  let proxy: CutProxy;
  let kept: { readonly pods: Kept; readonly configmaps: Kept };

  beforeEach(async () => {
    fixture = await ObjectFixture.open(storage, { clock });
    proxy = await CutProxy.for(fixture.server.url);
    const config = new KubeConfig();
    config.loadFromString(fixture.server.kubeconfig.replaceAll(fixture.server.url, proxy.url));
    const api = config.makeApiClient(CoreV1Api);
    kept = {
      pods: new Kept(config, 'pods', () => api.listNamespacedPod({ namespace })),
      configmaps: new Kept(config, 'configmaps', () => api.listNamespacedConfigMap({ namespace })),
    };
  });
  afterEach(async () => {
    await Promise.all([kept.pods.stop(), kept.configmaps.stop()]);
    await proxy.close();
    await fixture.close();
  });

  /** Waits until both informers have the server's objects, and checks that their callbacks agree. */
  async function settled(): Promise<void> {
    for (const [resource, informer] of Object.entries(kept)) {
      const { json } = await fixture.get(`/api/v1/namespaces/${namespace}/${resource}`);
      const lines = json.items.map(lineOf);
      await informer.until(lines);
      expect([...informer.told].map(([name, version]) => `${name}@${version}`).sort()).toEqual([...lines].sort());
      expect(informer.wrong).toEqual([]);
    }
  }

  async function writeSome(random: Random, count: number): Promise<void> {
    for (let left = count; left > 0; left--) {
      const name = `o${random.between(0, 9)}`;
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      const dice = random.next();
      if (dice < 0.4) await fixture.put(maps, name, { data: { left: String(left) } });
      else if (dice < 0.5) await fixture.client.send('DELETE', `${maps}/${name}`);
      else if (dice < 0.7) await fixture.client.send('DELETE', `${pods}/${name}?gracePeriodSeconds=0`);
      else {
        const pod = { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } };
        await fixture.client.send('POST', pods, JSON.stringify(pod), 'application/json');
        const labels = JSON.stringify({ metadata: { labels: { left: String(left) } } });
        await fixture.client.send('PATCH', `${pods}/${name}`, labels, 'application/merge-patch+json');
      }
    }
  }

  test('miss nothing and report nothing twice, however often they are disconnected', async () => {
    const random = new Random(1);
    await writeSome(random, 20);
    await Promise.all([kept.pods.start(), kept.configmaps.start()]);
    for (let round = 0; round < 6; round++) {
      await writeSome(random, 10);
      proxy.cut();
      await writeSome(random, 10);
      proxy.release();
      await writeSome(random, 5);
      await settled();
    }
    // their versions were not compacted, so no second list was necessary
    expect([kept.pods.lists, kept.configmaps.lists]).toEqual([1, 1]);
  });

  test('list again after a 410, and report only the differences', async () => {
    const random = new Random(2);
    await writeSome(random, 20);
    await Promise.all([kept.pods.start(), kept.configmaps.start()]);
    for (let round = 0; round < 4; round++) {
      await writeSome(random, 10);
      proxy.cut();
      await writeSome(random, 20);
      await fixture.server.compact();
      proxy.release();
      await settled();
    }
    expect(Math.min(kept.pods.lists, kept.configmaps.lists)).toBeGreaterThan(1);
  });

  test('that are too slow are disconnected, and catch up', async () => {
    await Promise.all([kept.pods.start(), kept.configmaps.start()]);
    await fixture.put(`/api/v1/namespaces/${namespace}/configmaps`, 'first');
    await settled();
    const before = proxy.accepted;
    const resume = proxy.stall();
    const big = 'x'.repeat(900_000);
    for (let count = 0; count < 30; count++) {
      await fixture.put(`/api/v1/namespaces/${namespace}/configmaps`, 'big', { data: { big, count: String(count) } });
    }
    clock.advance(30_000);
    resume();
    await settled();
    expect(proxy.accepted).toBeGreaterThan(before);
  });
});
