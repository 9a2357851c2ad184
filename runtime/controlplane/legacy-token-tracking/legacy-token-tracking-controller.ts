import type { ConfigMap } from '../../../generated/v1.35/core/v1/types.ts';
import { hasStatusCode } from '../../machinery/errors/status.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import { ConfigMapSync, systemNamespace as namespace } from '../config-map-sync.ts';
import type { ControlPlaneContext } from '../context.ts';

export const trackingConfigMap = 'kube-apiserver-legacy-service-account-token-tracking';
const name = trackingConfigMap;
const interval = 12 * 3600_000;
/** Milliseconds between two creations. The interval avoids a contest with servers that delete the ConfigMap. */
const creationInterval = 30 * 60_000;

/**
 * Keeps a ConfigMap with the first day on which the use of legacy service account tokens was tracked.
 * kube-controller-manager reads it before it deletes unused tokens. (pkg/controlplane/controller/legacytokentracking)
 */
export class LegacyTokenTrackingController implements Controller {
  readonly #context: ControlPlaneContext;
  readonly #work: ConfigMapSync;
  #createdAt = Number.NEGATIVE_INFINITY;
  #cancelCreation = (): void => undefined;

  constructor(context: ControlPlaneContext) {
    this.#context = context;
    this.#work = new ConfigMapSync({
      context,
      name,
      interval,
      sync: (configMaps) => this.#sync(configMaps),
      isReason: () => true,
    });
  }

  start(): Promise<void> {
    return this.#work.start();
  }

  close(): Promise<void> {
    this.#cancelCreation();
    return this.#work.close();
  }

  async #sync(configMaps: LoopbackClient<ConfigMap>): Promise<void> {
    const current = configMaps.get(namespace, name);
    if (current === undefined) await this.#create(configMaps);
    else if (!isDay(current.data?.since)) {
      await ignoreLost(configMaps.update({ ...current, data: { ...current.data, since: this.#today() } }));
    }
  }

  async #create(configMaps: LoopbackClient<ConfigMap>): Promise<void> {
    const { clock } = this.#context.stores;
    const wait = this.#createdAt + creationInterval - clock.now();
    this.#cancelCreation();
    if (wait > 0) {
      this.#cancelCreation = clock.after(wait, () => this.#work.trigger());
      return;
    }
    await configMaps.createIfAbsent({ metadata: { namespace, name }, data: { since: this.#today() } });
    this.#createdAt = clock.now();
  }

  #today(): string {
    return timeText(this.#context.stores.clock.now()).slice(0, 10);
  }
}

/** Reports whether text is a valid day, as `2026-11-28`. JavaScript would accept February 30 as March 2. */
function isDay(text = ''): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && timeText(time).startsWith(text);
}

/** Ignores a change or deletion by another server, whose event triggers the next sync. */
async function ignoreLost(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!hasStatusCode(error, 404) && !hasStatusCode(error, 409)) throw error;
  }
}
