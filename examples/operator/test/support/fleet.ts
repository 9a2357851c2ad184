import { fileURLToPath } from 'node:url';
import { CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import type { RunningServer } from 'kubeloom';
import { group, type Pool, plural, version } from '../../src/pool.ts';

/** The manifests that the operator needs in a cluster. */
export const manifests = fileURLToPath(new URL('../../deploy', import.meta.url));
const place = { group, version, plural, namespace: 'default' };

/** Pools and their members, as an administrator of the cluster reads and changes them. */
export class Fleet {
  readonly config = new KubeConfig();
  readonly #pools: CustomObjectsApi;
  readonly #core: CoreV1Api;

  constructor(server: RunningServer) {
    this.config.loadFromString(server.kubeconfig);
    this.#pools = this.config.makeApiClient(CustomObjectsApi);
    this.#core = this.config.makeApiClient(CoreV1Api);
  }

  /** Returns credentials for another user, whom the administrator impersonates. */
  configOf(name: string): KubeConfig {
    const config = new KubeConfig();
    const [cluster, admin] = [this.config.getCurrentCluster()!, this.config.getCurrentUser()!];
    config.loadFromClusterAndUser(cluster, { ...admin, impersonateUser: name });
    return config;
  }

  async createPool(name: string, spec: Partial<Pool['spec']>): Promise<Pool> {
    const body = {
      apiVersion: `${group}/${version}`,
      kind: 'Pool',
      metadata: { name },
      spec: { size: 1, image: 'nginx', ...spec },
    };
    return this.#pools.createNamespacedCustomObject({ ...place, body });
  }

  readPool(name: string): Promise<Pool> {
    return this.#pools.getNamespacedCustomObject({ ...place, name });
  }

  async scale(name: string, size: number): Promise<void> {
    const body = [{ op: 'replace', path: '/spec/size', value: size }];
    await this.#pools.patchNamespacedCustomObject({ ...place, name, body });
  }

  async deletePool(name: string): Promise<void> {
    await this.#pools.deleteNamespacedCustomObject({ ...place, name });
  }

  /** Returns the names of all pools. */
  async pools(): Promise<string[]> {
    const { items } = await this.#pools.listNamespacedCustomObject(place);
    return items.map(({ metadata }: Pool) => metadata.name).sort();
  }

  /** Returns the names of all pods. */
  async members(): Promise<string[]> {
    const { items } = await this.#core.listNamespacedPod(place);
    return items.map(({ metadata }) => metadata?.name ?? '').sort();
  }
}
