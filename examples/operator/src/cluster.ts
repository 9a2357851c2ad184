import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type V1ObjectMeta,
  type V1Pod,
} from '@kubernetes/client-node';
import type { Clock } from './clock.ts';
import { group, memberLabels, type Pool, plural, version } from './pool.ts';
import type { Steps } from './steps/index.ts';

export interface List<T> {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items: T[];
}

export interface ListOptions {
  readonly resourceVersion?: string;
}

const pools = { group, version, plural };
const placeOf = ({ metadata }: Pool) => ({ ...pools, namespace: metadata.namespace ?? '', name: metadata.name ?? '' });

/** All requests of the operator to the API server, except for watches. Failures are ApiExceptions. */
export class Cluster {
  readonly #pools: CustomObjectsApi;
  readonly #core: CoreV1Api;

  readonly #limit: <T>(request: Promise<T>) => Promise<T>;

  constructor(config: KubeConfig, steps: Steps, clock: Clock) {
    this.#pools = config.makeApiClient(CustomObjectsApi);
    this.#core = config.makeApiClient(CoreV1Api);
    this.#limit = (request) => steps.limitTime(clock, request);
  }

  listPools(options: ListOptions): Promise<List<Pool>> {
    return this.#limit(this.#pools.listCustomObjectForAllNamespaces({ ...pools, ...options }));
  }

  readPool(pool: Pool): Promise<Pool> {
    return this.#limit(this.#pools.getNamespacedCustomObject(placeOf(pool)));
  }

  replacePool(pool: Pool): Promise<Pool> {
    return this.#limit(this.#pools.replaceNamespacedCustomObject({ ...placeOf(pool), body: pool }));
  }

  replacePoolStatus(pool: Pool): Promise<Pool> {
    return this.#limit(this.#pools.replaceNamespacedCustomObjectStatus({ ...placeOf(pool), body: pool }));
  }

  /** Deletes this pool, and not a newer pool with the same name. */
  async deletePool(pool: Pool): Promise<void> {
    const { uid = '' } = pool.metadata;
    await this.#limit(this.#pools.deleteNamespacedCustomObject({ ...placeOf(pool), body: { preconditions: { uid } } }));
  }

  listPods(options: ListOptions): Promise<List<V1Pod>> {
    return this.#limit(this.#core.listPodForAllNamespaces(options));
  }

  async listMembers(pool: Pool): Promise<V1Pod[]> {
    const labelSelector = Object.entries(memberLabels(pool))
      .map((pair) => pair.join('='))
      .join(',');
    const { items } = await this.#limit(
      this.#core.listNamespacedPod({ namespace: pool.metadata.namespace ?? '', labelSelector }),
    );
    return items;
  }

  /** @param name the member's name, or the beginning of one that the server completes */
  createMember(pool: Pool, name: Pick<V1ObjectMeta, 'name' | 'generateName'>): Promise<V1Pod> {
    return this.#limit(
      this.#core.createNamespacedPod({
        namespace: pool.metadata.namespace ?? '',
        body: {
          metadata: { ...name, labels: memberLabels(pool) },
          spec: { containers: [{ name: 'member', image: pool.spec.image }] },
        },
      }),
    );
  }

  async deleteMember({ metadata }: V1Pod): Promise<void> {
    const { namespace = '', name = '', uid = '' } = metadata ?? {};
    await this.#limit(this.#core.deleteNamespacedPod({ namespace, name, body: { preconditions: { uid } } }));
  }
}

/** Returns the HTTP status of a failed request; undefined if there was no response. */
export const codeOf = (error: unknown): number | undefined => (error instanceof ApiException ? error.code : undefined);
