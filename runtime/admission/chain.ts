import type { Admission, Attributes, Operation } from '../machinery/admission.ts';
import type { ResourceDefinition } from '../machinery/resource.ts';
import type { AdmissionMetrics } from '../observe/admission-metrics.ts';
import { isNotReadyError } from '../resources/lister.ts';
import { newForbidden } from './errors.ts';
import type { Plugin } from './plugin.ts';
import { type AdmissionStep, StepTimer } from './step-timer.ts';

/** A plugin by its name, as `PodSecurity`. */
export interface NamedPlugin {
  readonly name: string;
  readonly plugin: Plugin;
}

interface Asked {
  readonly plugin: Plugin;
  readonly timer: StepTimer;
}

/** The plugins that have a part in one step of one kind of write. */
interface Step {
  readonly name: AdmissionStep;
  readonly asked: readonly Asked[];
  readonly timer: StepTimer;
}

/** What is done for one kind of write. */
interface Plan {
  readonly admit: Step;
  readonly validate: Step;
  readonly rechecks: readonly Plugin[];
}

/**
 * Asks plugins one after the other. Which ones a kind of write concerns is found out once; after that, a write waits only
 * if a plugin does. (apiserver pkg/admission/chain.go)
 */
export class Chain implements Admission {
  readonly #load: () => Promise<readonly NamedPlugin[]>;
  readonly #metrics: AdmissionMetrics;
  readonly #plans = new WeakMap<ResourceDefinition, Map<string, Plan>>();
  readonly #started = new Map<Plugin, Promise<void>>();
  #plugins: Promise<readonly NamedPlugin[]> | undefined;

  /** @param load makes the plugins, at the first write or by `open` */
  constructor(load: () => Promise<readonly NamedPlugin[]>, metrics: AdmissionMetrics) {
    this.#load = load;
    this.#metrics = metrics;
  }

  /** Makes the plugins. @throws Error if one of them cannot read its configuration */
  async open(): Promise<void> {
    await this.#loaded();
  }

  admit(attributes: Attributes): void | Promise<void> {
    const plan = this.#planOf(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.admit(attributes));
    return plan.admit.timer.time(() => this.#admit(plan.admit, attributes));
  }

  validate(attributes: Attributes): void | Promise<void> {
    const plan = this.#planOf(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.validate(attributes));
    return plan.validate.timer.time(() => ask(plan.validate, attributes));
  }

  recheck(attributes: Attributes): void {
    for (const plugin of this.#planOf(attributes)?.rechecks ?? []) plugin.recheck?.(attributes);
  }

  /** Asks all plugins once more if one of them wants that. */
  #admit(step: Step, attributes: Attributes): void | Promise<void> {
    const pending = ask(step, attributes);
    const admitAgain = (): void | Promise<void> => {
      const { reinvocation } = attributes;
      if (!reinvocation.isNeeded || reinvocation.isRunning) return;
      reinvocation.isRunning = true;
      return ask(step, attributes);
    };
    return pending === undefined ? admitAgain() : pending.then(admitAgain);
  }

  #planOf({ definition, operation, subresource }: Attributes): Plan | undefined {
    return this.#plans.get(definition)?.get(planKey(operation, subresource));
  }

  async #plan(attributes: Attributes): Promise<void> {
    const { definition, operation, subresource } = attributes;
    const all = await this.#loaded();
    const concerned = all.filter(({ plugin }) => plugin.handles(operation, definition, subresource));
    await this.#startAll(concerned, attributes);
    const plans = this.#plans.get(definition) ?? new Map<string, Plan>();
    this.#plans.set(definition, plans);
    plans.set(planKey(operation, subresource), {
      admit: this.#step('admit', operation, concerned),
      validate: this.#step('validate', operation, concerned),
      rechecks: concerned.map(({ plugin }) => plugin).filter(({ recheck }) => recheck !== undefined),
    });
  }

  #step(step: AdmissionStep, operation: Operation, plugins: readonly NamedPlugin[]): Step {
    const asked = plugins
      .filter(({ plugin }) => plugin[step] !== undefined)
      .map(({ name, plugin }) => ({ plugin, timer: StepTimer.ofPlugin(this.#metrics, name, { step, operation }) }));
    return { name: step, asked, timer: StepTimer.ofStep(this.#metrics, { step, operation }) };
  }

  #loaded(): Promise<readonly NamedPlugin[]> {
    this.#plugins ??= this.#load();
    return this.#plugins;
  }

  async #startAll(plugins: readonly NamedPlugin[], attributes: Attributes): Promise<void> {
    try {
      await Promise.all(plugins.map(({ plugin }) => this.#start(plugin)));
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

function ask(step: Step, attributes: Attributes, from = 0): void | Promise<void> {
  const { name, asked } = step;
  for (let index = from; index < asked.length; index++) {
    const { plugin, timer } = asked[index];
    const pending = timer.time(() => plugin[name]?.(attributes));
    if (pending !== undefined) return pending.then(() => ask(step, attributes, index + 1));
  }
}
