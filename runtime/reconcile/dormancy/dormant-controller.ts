import type { Controller } from '../controller.ts';
import type { WakeRule, WriteAlarm } from './write-alarm.ts';

/**
 * A controller that sleeps until a relevant object is written. It starts with no work left, and syncs all objects when
 * it wakes.
 */
export class DormantController implements Controller {
  readonly #alarm: WriteAlarm;
  readonly #rule: WakeRule;
  readonly #make: () => Controller | Promise<Controller>;
  readonly #report: (error: unknown) => void;
  #cancel: () => void = () => undefined;
  #awake: Promise<Controller | undefined> | undefined;
  #controller: Controller | undefined;
  #closed = false;

  /** @param make creates the controller when it wakes */
  constructor(alarm: WriteAlarm, rule: WakeRule, make: () => Controller | Promise<Controller>, report: (error: unknown) => void) {
    this.#alarm = alarm;
    this.#rule = rule;
    this.#make = make;
    this.#report = report;
  }

  get isIdle(): boolean {
    return this.#awake === undefined || this.#controller?.isIdle !== false;
  }

  async start(): Promise<void> {
    this.#cancel = this.#alarm.add(this.#rule, () => this.wake());
  }

  wake(): void {
    if (this.#closed) return;
    this.#cancel();
    this.#awake ??= this.#start().catch((error: unknown) => {
      this.#report(error);
      return this.#controller;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#controller?.close();
    await this.#awake;
  }

  async #start(): Promise<Controller | undefined> {
    // lets other listeners receive the waking event first
    await undefined;
    const controller = await this.#make();
    if (this.#closed) return undefined;
    this.#controller = controller;
    await controller.start();
    return controller;
  }
}
