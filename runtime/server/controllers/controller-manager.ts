import type { ControllerContext } from '../../controllers/controller-context.ts';
import type { NewController, RunningControllers, startControllers } from '../../controllers/start-controllers.ts';
import type { StartOrder } from '../../machinery/event-loop/start-order.ts';
import type { ControllerName, ProcessName, SimulatedProcess } from '../../reconcile/controller-selection.ts';
import type { Dormancy } from '../../reconcile/dormancy/dormancy.ts';
import type { LeaderElectionConfig, LeaderElector } from '../../reconcile/leader-election/leader-elector.ts';
import { type LeaderComponent, leaderElector, type ServerLeadership } from './leader-election.ts';

/** The controllers of a controller manager. */
export interface ControllerSet {
  readonly start: typeof startControllers | undefined;
  readonly names: ReadonlySet<ControllerName>;
  /** Loops of other control-plane processes, such as the scheduler, by name. */
  readonly others: Readonly<Partial<Record<SimulatedProcess, NewController>>>;
  /** Decides when each controller starts. */
  readonly order: StartOrder;
  /** Absent if all controllers start at once. */
  readonly dormancy?: Dormancy | undefined;
}

/** The election of the server that runs the controllers. */
export interface ControllerElection {
  /** Undefined if this server always leads. */
  readonly election: LeaderElectionConfig | undefined;
  readonly leadership: ServerLeadership;
}

/** Returns the component whose loops run; undefined if there are none. */
function componentOf({ names, others }: ControllerSet): LeaderComponent | undefined {
  if (names.size > 0) return 'kube-controller-manager';
  return Object.keys(others).length > 0 ? 'kubeloom-simulation' : undefined;
}

/** Runs the controllers that run on one server at a time, while this server is the leader. (kube-controller-manager) */
export class ControllerManager {
  readonly #context: Omit<ControllerContext, 'informers'>;
  readonly #controllers: ControllerSet;
  readonly #elector: LeaderElector | undefined;
  readonly #leadership: ServerLeadership;
  #running: RunningControllers | undefined;

  constructor(context: Omit<ControllerContext, 'informers'>, controllers: ControllerSet, { election, leadership }: ControllerElection) {
    this.#context = context;
    this.#controllers = controllers;
    this.#leadership = leadership;
    const component = componentOf(controllers);
    this.#elector =
      election &&
      component &&
      leaderElector(election, component, context, {
        onStartedLeading: () => this.#start(),
        onStoppedLeading: () => this.#stop(),
      });
  }

  /** Resolves when the controllers have started, or another server leads. */
  async start(): Promise<void> {
    if (this.#elector === undefined) {
      this.#start();
      return;
    }
    this.#leadership.electedBy(this.#elector);
    await this.#elector.start();
  }

  /** Resolves when a controller has synced. Resolves at once if it does not run here. */
  async whenSynced(name: ProcessName): Promise<void> {
    await this.#running?.whenSynced(name);
  }

  /** Returns the controllers with work left. Returns none if another server runs them. */
  busy(): readonly string[] {
    return this.#running?.busy() ?? [];
  }

  async close(): Promise<void> {
    if (this.#elector === undefined) await this.#stop();
    else await this.#elector.close();
  }

  #start(): void {
    const { start, names, others, order, dormancy } = this.#controllers;
    this.#running = start?.(this.#context, names, others, order, dormancy);
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.close();
  }
}
