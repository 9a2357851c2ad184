import type { Admission, Attributes, Operation } from '../machinery/admission.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import { isNotReadyError } from '../resources/lister.ts';
import { newForbidden } from './errors.ts';
import type { Plugin } from './plugin.ts';

/** The plugins that admit one kind of write. */
interface Plan {
  readonly admits: readonly Plugin[];
  readonly validates: readonly Plugin[];
  readonly rechecks: readonly Plugin[];
}

/**
 * Asks plugins one after the other. Which ones a kind of write concerns is found out once; after that, a write waits only
 * if a plugin does. (apiserver pkg/admission/chain.go)
 */
export class Chain implements Admission {
  readonly #load: () => Promise<readonly Plugin[]>;
  readonly #plans = new WeakMap<ResourceDefinition, Map<string, Plan>>();
  readonly #started = new Map<Plugin, Promise<void>>();
  #plugins: Promise<readonly Plugin[]> | undefined;

  /** @param load makes the plugins, at the first write */
  constructor(load: () => Promise<readonly Plugin[]>) {
    this.#load = load;
  }

  admit(attributes: Attributes): void | Promise<void> {
    const plan = this.#planOf(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.admit(attributes));
    const pending = inTurn(plan.admits, (plugin) => plugin.admit?.(attributes));
    const admitAgain = (): void | Promise<void> => {
      const { reinvocation } = attributes;
      if (!reinvocation.isNeeded || reinvocation.isRunning) return;
      reinvocation.isRunning = true;
      return this.admit(attributes);
    };
    return pending === undefined ? admitAgain() : pending.then(admitAgain);
  }

  validate(attributes: Attributes): void | Promise<void> {
    const plan = this.#planOf(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.validate(attributes));
    return inTurn(plan.validates, (plugin) => plugin.validate?.(attributes));
  }

  recheck(attributes: Attributes): void {
    for (const plugin of this.#planOf(attributes)?.rechecks ?? []) plugin.recheck?.(attributes);
  }

  #planOf({ definition, operation, subresource }: Attributes): Plan | undefined {
    return this.#plans.get(definition)?.get(planKey(operation, subresource));
  }

  async #plan(attributes: Attributes): Promise<void> {
    const { definition, operation, subresource } = attributes;
    this.#plugins ??= this.#load();
    const plugins = (await this.#plugins).filter((plugin) => plugin.handles(operation, definition, subresource));
    await this.#startAll(plugins, attributes);
    const plans = this.#plans.get(definition) ?? new Map<string, Plan>();
    this.#plans.set(definition, plans);
    plans.set(planKey(operation, subresource), {
      admits: plugins.filter(({ admit }) => admit !== undefined),
      validates: plugins.filter(({ validate }) => validate !== undefined),
      rechecks: plugins.filter(({ recheck }) => recheck !== undefined),
    });
  }

  async #startAll(plugins: readonly Plugin[], attributes: Attributes): Promise<void> {
    try {
      await Promise.all(plugins.map((plugin) => this.#start(plugin)));
    } catch (error) {
      throw isNotReadyError(error) ? newForbidden(attributes, 'not yet ready to handle request') : error;
    }
  }

  #start(plugin: Plugin): Promise<void> {
    let started = this.#started.get(plugin);
    if (started === undefined) {
      started = plugin.start?.() ?? Promise.resolve();
      this.#started.set(plugin, started);
      // the next write tries again
      started.catch(() => this.#started.delete(plugin));
    }
    return started;
  }
}

const planKey = (operation: Operation, subresource: string): string => `${operation}/${subresource}`;

function inTurn(
  plugins: readonly Plugin[],
  ask: (plugin: Plugin) => void | Promise<void>,
  from = 0,
): void | Promise<void> {
  for (let index = from; index < plugins.length; index++) {
    const pending = ask(plugins[index]);
    if (pending !== undefined) return pending.then(() => inTurn(plugins, ask, index + 1));
  }
}
