import { CoreV1Api, type Informer, KubeConfig, type KubernetesObject, makeInformer, type ObjectCache } from '@kubernetes/client-node';

/** Milliseconds for the informer to agree with the server after the last fault. */
const patience = 15_000;
/** Milliseconds before the informer restarts after an error. Its documentation has five seconds. */
const restartAfter = 5;

/**
 * Abandons a list after half a second: the client's node-fetch 2 waits forever for the rest of a body that ends before
 * its Content-Length.
 */
async function withinTime<T>(list: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the list takes too long')), 500);
  });
  return Promise.race([list, late]).finally(() => clearTimeout(timer));
}

/** `name@resourceVersion` */
export const lineOf = ({ metadata }: KubernetesObject): string => `${metadata?.name}@${metadata?.resourceVersion}`;

/** A namespace's secrets in an informer of @kubernetes/client-node, used as in its documentation. */
export class FollowedObjects {
  readonly #informer: Informer<KubernetesObject> & ObjectCache<KubernetesObject>;
  #restart: NodeJS.Timeout | undefined;
  #hasStopped = false;
  /** The informer's errors. */
  errors = 0;
  #wake = (): void => undefined;

  /** @param anyVersion lists accept any version, as in Go's informers */
  constructor(kubeconfig: string, namespace: string, anyVersion: boolean) {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const api = config.makeApiClient(CoreV1Api);
    const version = anyVersion ? { resourceVersion: '0' } : {};
    this.#informer = makeInformer(config, `/api/v1/namespaces/${namespace}/secrets`, () =>
      withinTime(api.listNamespacedSecret({ namespace, ...version })),
    );
    this.#informer.on('change', () => this.#wake());
    this.#informer.on('error', () => {
      this.errors++;
      if (!this.#hasStopped) this.#restart = setTimeout(() => void this.#informer.start(), restartAfter);
    });
  }

  async start(): Promise<void> {
    await this.#informer.start();
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    clearTimeout(this.#restart);
    await this.#informer.stop();
  }

  /** Resolves when the informer has exactly these objects. @throws Error at the timeout */
  async until(want: readonly string[]): Promise<void> {
    const wanted = [...want].sort().join(' ');
    const known = (): string => this.#informer.list().map(lineOf).sort().join(' ');
    const giveUp = Date.now() + patience;
    while (known() !== wanted) {
      const left = giveUp - Date.now();
      if (left <= 0) throw new Error(`the informer has [${known()}], the server [${wanted}]`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
