import type { ConfigMap } from '../../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../../machinery/errors/status.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { LoopbackClient } from '../../../resources/loopback-client.ts';
import { loopbackWriter } from '../../../resources/loopback-writer.ts';
import type { Controller } from '../../controller.ts';
import { PeriodicSync } from '../../periodic-sync.ts';
import type { ControlPlaneContext } from '../context.ts';

const namespace = 'kube-system';
const name = 'kube-apiserver-legacy-service-account-token-tracking';
const resource = { group: '', version: 'v1', resource: 'configmaps' };
/** Milliseconds between two looks without a reason. */
const interval = 12 * 3600_000;
/** Milliseconds between two creations, so that servers with and without the controller do not fight. */
const creationInterval = 30 * 60_000;

/**
 * Keeps a ConfigMap with the day since which the use of legacy service account tokens is tracked. kube-controller-manager reads it
 * before it deletes unused tokens. (pkg/controlplane/controller/legacytokentracking)
 */
export class LegacyTokenTrackingController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #periodic: PeriodicSync;
  #configMaps: LoopbackClient<ConfigMap> | undefined;
  #createdAt = Number.NEGATIVE_INFINITY;
  #stop = (): void => undefined;
  #cancelCreation = (): void => undefined;

  constructor(context: ControlPlaneContext) {
    this.#context = context;
    this.#periodic = new PeriodicSync({
      ...{ clock: context.stores.clock, interval },
      sync: () => this.#sync(),
      report: (err) => context.logger.error({ err }, `${namespace}/${name} failed`),
    });
  }

  async start(): Promise<void> {
    const { stores } = this.#context;
    if (!stores.serves('', 'v1', 'namespaces') || !stores.serves('', 'v1', 'configmaps')) return;
    this.#configMaps = await LoopbackClient.open<ConfigMap>(stores, resource, loopbackWriter('kube-apiserver'));
    await this.#periodic.start();
    const { collection } = this.#configMaps;
    this.#stop = collection.watch({
      ...{ namespace, name, after: collection.latest().revision },
      onEvent: () => this.#periodic.trigger(),
    });
  }

  async close(): Promise<void> {
    this.#stop();
    this.#cancelCreation();
    await this.#periodic.close();
  }

  async #sync(): Promise<void> {
    const current = this.#configMaps?.get(namespace, name);
    if (current === undefined) await this.#create();
    else if (!isDay(current.data?.since)) {
      await ignoreLost(this.#configMaps?.update({ ...current, data: { ...current.data, since: this.#today() } }));
    }
  }

  async #create(): Promise<void> {
    const { clock } = this.#context.stores;
    const wait = this.#createdAt + creationInterval - clock.now();
    this.#cancelCreation();
    if (wait > 0) {
      this.#cancelCreation = clock.after(wait, () => this.#periodic.trigger());
      return;
    }
    await this.#configMaps?.createIfAbsent({ metadata: { namespace, name }, data: { since: this.#today() } });
    this.#createdAt = clock.now();
  }

  #today(): string {
    return timeText(this.#context.stores.clock.now()).slice(0, 10);
  }
}

const isDay = (text = ''): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Another server has changed or deleted the object; its event triggers the next look. */
async function ignoreLost(writing: Promise<unknown> | undefined): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!hasStatusCode(error, 404) && !hasStatusCode(error, 409)) throw error;
  }
}
