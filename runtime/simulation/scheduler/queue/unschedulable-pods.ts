import type { ClusterEvent, EventObjects, QueueingHints } from '../framework/cluster-event.ts';
import type { PluginName } from '../framework/plugin-names.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';

/** The key of pods that no plugin rejected. Any event may help them. */
const nobody = '';

/** Unschedulable pods by the plugins that rejected them. (pkg/scheduler/backend/queue/unschedulable_pods.go) */
export class UnschedulablePods {
  readonly #hints: ReadonlyMap<PluginName, QueueingHints>;
  readonly #pods = new Set<QueuedPodInfo>();
  readonly #byPlugin = new Map<PluginName | typeof nobody, Set<QueuedPodInfo>>();

  constructor(hints: ReadonlyMap<PluginName, QueueingHints>) {
    this.#hints = hints;
  }

  get size(): number {
    return this.#pods.size;
  }

  all(): QueuedPodInfo[] {
    return [...this.#pods];
  }

  has(queued: QueuedPodInfo): boolean {
    return this.#pods.has(queued);
  }

  add(queued: QueuedPodInfo): void {
    this.#pods.add(queued);
    for (const plugin of pluginsOf(queued)) {
      const pods = this.#byPlugin.get(plugin);
      if (pods === undefined) this.#byPlugin.set(plugin, new Set([queued]));
      else pods.add(queued);
    }
  }

  delete(queued: QueuedPodInfo): boolean {
    for (const plugin of pluginsOf(queued)) this.#byPlugin.get(plugin)?.delete(queued);
    return this.#pods.delete(queued);
  }

  /** Returns the pods that a rejecting plugin's hint says may fit now. (isPodWorthRequeuing) */
  worthRequeuing(event: ClusterEvent, objects: EventObjects): Iterable<QueuedPodInfo> {
    const worth = new Set<QueuedPodInfo>(this.#byPlugin.get(nobody));
    for (const [plugin, pods] of this.#byPlugin) {
      const hint = plugin === nobody ? undefined : this.#hints.get(plugin)?.[event];
      if (hint === undefined) continue;
      for (const queued of pods) if (hint === true || hint(queued.info, objects)) worth.add(queued);
    }
    return worth;
  }
}

const pluginsOf = ({ unschedulablePlugins }: QueuedPodInfo): Iterable<PluginName | typeof nobody> =>
  unschedulablePlugins.size === 0 ? [nobody] : unschedulablePlugins;
