import type { Admission, Attributes, Operation } from '../machinery/admission.ts';
import { once } from '../machinery/event-loop/once.ts';
import type { AdmissionMetrics } from './admission-metrics.ts';
import { forbiddenIfNotReady } from './errors.ts';
import { OperationCache } from './operation-cache.ts';
import type { Plugin } from './plugin.ts';
import { type AdmissionStep, StepTimer } from './step-timer.ts';

/** A plugin with its name: `PodSecurity`. */
export interface NamedPlugin {
  readonly name: string;
  readonly plugin: Plugin;
}

interface StartedPlugin extends NamedPlugin {
  /** Resolves when the plugin has started. */
  start(): Promise<void>;
}

interface Asked {
  readonly plugin: Plugin;
  readonly timer: StepTimer;
}

/** The plugins that take part in one step for one kind of write. */
interface Step {
  readonly name: AdmissionStep;
  readonly asked: readonly Asked[];
  readonly timer: StepTimer;
}

/** The steps for one kind of write. */
interface Plan {
  readonly admit: Step;
  readonly validate: Step;
  readonly rechecks: readonly Plugin[];
}

/**
 * Calls plugins one after the other. The plugins of a kind of write are determined once; after that, a write waits only
 * if a plugin does. (apiserver pkg/admission/chain.go)
 */
export class Chain implements Admission {
  readonly #plugins: () => Promise<readonly StartedPlugin[]>;
  readonly #metrics: AdmissionMetrics;
  readonly #plans = new OperationCache<Plan>();

  /** @param load creates the plugins, at the first write or by `open` */
  constructor(load: () => Promise<readonly NamedPlugin[]>, metrics: AdmissionMetrics) {
    this.#plugins = once(async () =>
      (await load()).map(({ name, plugin }) => ({ name, plugin, start: once(async () => plugin.start?.()) })),
    );
    this.#metrics = metrics;
  }

  /** Creates the plugins. @throws Error if one of them cannot read its configuration */
  async open(): Promise<void> {
    await this.#plugins();
  }

  admit(attributes: Attributes): void | Promise<void> {
    const plan = this.#plans.get(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.admit(attributes));
    return timed(plan.admit, attributes, askTwice);
  }

  validate(attributes: Attributes): void | Promise<void> {
    const plan = this.#plans.get(attributes);
    if (plan === undefined) return this.#plan(attributes).then(() => this.validate(attributes));
    return timed(plan.validate, attributes, askAll);
  }

  recheck(attributes: Attributes): void {
    for (const plugin of this.#plans.get(attributes)?.rechecks ?? []) plugin.recheck?.(attributes);
  }

  async #plan(attributes: Attributes): Promise<void> {
    const { definition, operation, subresource } = attributes;
    const all = await this.#plugins();
    const concerned = all.filter(({ plugin }) => plugin.handles(operation, definition, subresource));
    await Promise.all(concerned.map(({ start }) => start())).catch((error: unknown) => {
      throw forbiddenIfNotReady(attributes, error);
    });
    this.#plans.set(attributes, {
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
}

type Ask = (step: Step, attributes: Attributes, start: number) => void | Promise<void>;

/** Observes the time of a whole step. */
function timed(step: Step, attributes: Attributes, ask: Ask): void | Promise<void> {
  const start = performance.now();
  let pending: void | Promise<void>;
  try {
    pending = ask(step, attributes, start);
  } catch (error) {
    step.timer.rejected(start);
    throw error;
  }
  if (pending !== undefined) return timedAsync(pending, step.timer, start).then(() => undefined);
  step.timer.accepted(start);
}

/** Calls all plugins, and a second time if one of them requests it. */
function askTwice(step: Step, attributes: Attributes, start: number): void | Promise<void> {
  const pending = askAll(step, attributes, start);
  const askAgain = (): void | Promise<void> => {
    const { reinvocation } = attributes;
    if (!reinvocation.isNeeded || reinvocation.isRunning) return;
    reinvocation.isRunning = true;
    return askAll(step, attributes, performance.now());
  };
  return pending === undefined ? askAgain() : pending.then(askAgain);
}

/** Calls the plugins in order. The end of one is the start of the next for the timers. */
function askAll(step: Step, attributes: Attributes, start: number, from = 0): void | Promise<void> {
  const { name, asked } = step;
  let began = start;
  for (let index = from, next = asked[index]; next !== undefined; index++, next = asked[index]) {
    const { plugin, timer } = next;
    let pending: void | Promise<void>;
    try {
      pending = plugin[name]?.(attributes);
    } catch (error) {
      timer.rejected(began);
      throw error;
    }
    if (pending !== undefined) {
      return timedAsync(pending, timer, began).then((end) => askAll(step, attributes, end, index + 1));
    }
    began = timer.accepted(began);
  }
}

/** Observes asynchronous work. Resolves with the time of its end. */
async function timedAsync(pending: Promise<void>, timer: StepTimer, start: number): Promise<number> {
  try {
    await pending;
  } catch (error) {
    timer.rejected(start);
    throw error;
  }
  return timer.accepted(start);
}
