import type { Attributes } from '../machinery/admission.ts';
import { once } from '../machinery/event-loop/once.ts';
import type { GroupVersionResource } from '../machinery/gvk.ts';
import { onFirstUse } from '../resources/on-first-use.ts';
import type { ResourceStores } from '../resources/stores.ts';
import { forbiddenIfNotReady } from './errors.ts';
import type { Plugin } from './plugin.ts';
import type { AdmissionStep } from './step-timer.ts';

/** The objects, such as policies, without which a plugin does nothing, and the step in which it takes part. */
export interface Demand {
  readonly objects: GroupVersionResource;
  /** The only step of the plugin. */
  readonly step: AdmissionStep;
}

/** Returns a plugin that loads its code on the first write after such objects may exist. */
export function onDemand(stores: ResourceStores, { objects, step }: Demand, load: () => Promise<Plugin>): Plugin {
  const { group, version, resource } = objects;
  let isDemanded = false;
  let plugin: Plugin | undefined;
  const started = once(async () => {
    const loaded = await load();
    await loaded.start?.();
    plugin = loaded;
  });
  const startFor = (attributes: Attributes): Promise<void> =>
    started().catch((error: unknown) => {
      throw forbiddenIfNotReady(attributes, error);
    });
  const ask = (attributes: Attributes): void | Promise<void> => {
    if (!isDemanded) return;
    if (plugin === undefined) return startFor(attributes).then(() => ask(attributes));
    const { operation, definition, subresource } = attributes;
    if (plugin.handles(operation, definition, subresource)) return plugin[step]?.(attributes);
  };
  return {
    handles: () => stores.serves(group, version, resource),
    async start() {
      await onFirstUse(stores, objects, () => {
        isDemanded = true;
      });
    },
    [step]: ask,
  };
}
