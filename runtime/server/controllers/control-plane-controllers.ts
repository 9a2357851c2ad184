import { ensureRBACPolicy } from '../../authorization/rbac/bootstrap-policy/rbac-bootstrap.ts';
import type { ControlPlaneContext } from '../../controlplane/context.ts';
import { addSystemPriorityClasses } from '../../controlplane/system-priority-classes.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { DormantController } from '../../reconcile/dormancy/dormant-controller.ts';
import type { WriteAlarm } from '../../reconcile/dormancy/write-alarm.ts';
import type { ServerAuthentication } from '../authentication/authentication.ts';
import type { CompletedConfig } from '../config.ts';
import type { Milestones } from '../health/milestones.ts';
import { type BootstrapControllers, bootstrapControllers, type ControlPlaneController, listeningControllers } from './control-plane.ts';

/** Milliseconds until leases that were just renewed are due again. */
const renewalMs = 10_000;

/**
 * The controllers of kube-apiserver itself, which also create the objects of every cluster. A server that replays a
 * recording has none: the recording contains their writes. (pkg/controlplane)
 */
export class ControlPlaneControllers {
  readonly #config: CompletedConfig;
  readonly #context: ControlPlaneContext;
  readonly #milestones: Milestones;
  readonly #bootstrap: BootstrapControllers;
  readonly #closers: (() => Promise<void> | void)[] = [];
  readonly #withdrawals: (() => Promise<void> | void)[] = [];

  constructor(config: CompletedConfig, context: ControlPlaneContext, milestones: Milestones) {
    this.#config = config;
    this.#context = context;
    this.#milestones = milestones;
    this.#bootstrap = bootstrapControllers(config, context);
  }

  /** Removes the signs of a running server: its endpoints and its lease. */
  async withdraw(): Promise<void> {
    await Promise.all(this.#withdrawals.map((withdraw) => withdraw()));
  }

  async close(): Promise<void> {
    for (const close of [...this.#closers].reverse()) await close();
  }

  /** Starts the controllers that need no port. The writes of one step run concurrently. */
  async prepare(): Promise<void> {
    if (this.#config.options.replay !== undefined) return;
    const { minor, features, startOrder } = this.#config;
    const { stores } = this.#context;
    await this.#start(this.#bootstrap.systemNamespaces);
    await Promise.all([
      this.#start(this.#bootstrap.serviceCIDR),
      startOrder(() => addSystemPriorityClasses(stores)),
      startOrder(() => ensureRBACPolicy(stores, minor, features)),
    ]);
  }

  /**
   * Starts the other controllers.
   *
   * @param port of the open listener
   */
  async run(port: number, authentication: ServerAuthentication): Promise<void> {
    if (this.#config.options.replay === undefined) {
      const controllers = listeningControllers(this.#config, this.#context, { port, authentication });
      await Promise.all(controllers.map((one) => this.#start(one)));
    }
    this.#milestones.reached('control plane started');
  }

  /**
   * Puts all controllers to sleep, because their objects exist already. The leases and endpoints of this server are
   * written after some seconds.
   *
   * @param port of the open listener; 0 if there is none
   */
  async sleep(port: number, authentication: ServerAuthentication, alarm: WriteAlarm): Promise<void> {
    const context = this.#context;
    const { systemNamespaces, serviceCIDR } = this.#bootstrap;
    const listening = listeningControllers(this.#config, context, { port, authentication });
    const renewers: DormantController[] = [];
    const asleep = (one: ControlPlaneController): ControlPlaneController => {
      const report = (err: unknown): void => context.logger.error({ err }, 'a controller could not start');
      const dormant = new DormantController(alarm, one.wakes, () => one.make(), report);
      if (one.renews) renewers.push(dormant);
      return { ...one, make: () => dormant };
    };
    const all = [systemNamespaces, serviceCIDR, ...listening].map(asleep);
    await Promise.all(all.map((one) => this.#start(one)));
    this.#withdrawals.push(
      context.stores.clock.after(renewalMs, () => {
        for (const one of renewers) one.wake();
      }),
    );
    this.#milestones.reached('control plane started');
  }

  async #start({ make, withdraws }: ControlPlaneController): Promise<void> {
    const controller: Controller = make();
    (withdraws ? this.#withdrawals : this.#closers).push(() => controller.close());
    await this.#config.startOrder(() => controller.start());
  }
}
