import { withMaxInFlightLimit } from '../filters/max-in-flight.ts';
import { withPriorityAndFairness } from '../filters/priority-and-fairness.ts';
import { suggestedFlowSchemasOf } from '../flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../flowcontrol/bootstrap/priority-levels.ts';
import { borrowingAdjustmentPeriod } from '../flowcontrol/concurrency/borrowing.ts';
import { ConfigController } from '../flowcontrol/config/config-controller.ts';
import { FlowControlConfigStore } from '../flowcontrol/config/flow-control-store.ts';
import { validateFlowSchema, validatePriorityLevelConfiguration } from '../flowcontrol/config/validation.ts';
import { FlowControl } from '../flowcontrol/flow-control.ts';
import { type FlowSchema, flowControlGroup } from '../flowcontrol/objects.ts';
import { ResourceSizes } from '../flowcontrol/work-estimate/resource-sizes.ts';
import type { ApiMiddleware } from '../http/context.ts';
import { type Clock, monotonicClock } from '../machinery/clock.ts';
import type { Logger } from '../machinery/logger.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';
import type { WriteAlarm } from '../reconcile/dormancy/write-alarm.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { DelegateObjects } from './delegated/delegate-objects.ts';

export interface ServerFlowControlOptions {
  readonly options: ServerOptions;
  /** No resource of these stores may be open yet. */
  readonly stores: ResourceStores;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  /** The objects that configure flow control if this server does not serve them. Default: none. */
  readonly delegate?: DelegateObjects | undefined;
}

/** The flow control of a server: priority and fairness with the objects that configure it, or two plain limits. */
export class ServerFlowControl {
  /** Absent if requests are not limited. */
  readonly filter?: ApiMiddleware;
  /** Absent if priority and fairness is disabled. */
  readonly flowControl?: FlowControl;
  readonly #stores: ResourceStores;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #delegate: DelegateObjects | undefined;
  readonly #suggested: readonly FlowSchema[];
  /** False for a server that replays a recording, which contains the statuses of flow control's objects. */
  readonly #isConfigurable: boolean;
  #configController: ConfigController | undefined;
  #stopFollowing = (): void => undefined;

  /** @throws OptionError for negative limits, and for limits that leave no seats */
  constructor({ options, stores, clock, logger, minor, delegate }: ServerFlowControlOptions) {
    this.#stores = stores;
    this.#clock = clock;
    this.#logger = logger;
    this.#delegate = delegate;
    this.#isConfigurable = options.replay === undefined;
    this.#suggested = suggestedFlowSchemasOf(minor);
    const { maxRequestsInFlight: readOnly = 400, maxMutatingRequestsInFlight: mutating = 200 } = options;
    if (readOnly < 0) throw new OptionError('--max-requests-inflight can not be negative value');
    if (mutating < 0) throw new OptionError('--max-mutating-requests-inflight can not be negative value');
    setStrategies(stores);
    if (options.priorityAndFairness === false) {
      if (readOnly > 0 || mutating > 0) this.filter = withMaxInFlightLimit({ readOnly, mutating });
      return;
    }
    const serverConcurrency = readOnly + mutating;
    if (serverConcurrency === 0) {
      throw new OptionError(
        `invalid configuration: MaxRequestsInFlight=${readOnly} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
      );
    }
    const sizes = new ResourceSizes(stores, clock);
    const flowControl = new FlowControl({
      clock: monotonicClock(clock),
      serverConcurrency,
      sizeOf: (group, resource) => sizes.get(group, resource),
    });
    this.flowControl = flowControl;
    const defaultWait = (options.requestTimeout ?? 60_000) / 4;
    this.filter = withPriorityAndFairness({ flowControl, clock, defaultWait });
  }

  /** Resolves when the objects of flow control exist and are in force. */
  async start(): Promise<void> {
    const isServed = this.#isConfigurable && this.#stores.registry.lookup(flowControlGroup, 'v1', 'flowschemas') !== undefined;
    if (isServed) return this.#startConfigController();
    // without objects, the suggested configuration is in force
    this.flowControl?.configure(suggestedPriorityLevels, this.#suggested);
    if (this.flowControl === undefined || this.#delegate === undefined) return;
    const { followFlowControl } = await import('./delegated/flow-control.ts');
    this.#stopFollowing = followFlowControl(this.flowControl, this.#delegate, this.#clock);
  }

  /**
   * Starts with the objects of the origin, which this server has too. Follows them once one of them is written, or when
   * it is time to borrow seats.
   */
  startAs(origin: FlowControl, alarm: WriteAlarm): void {
    this.flowControl?.configureAs(origin);
    const report = (err: unknown): void => this.#logger.error({ err }, 'priority and fairness could not start');
    const resources = ['flowschemas', 'prioritylevelconfigurations'].map((one) => `${one}.${flowControlGroup}`);
    let cancel = (): void => undefined;
    const wake = (): void => {
      cancel();
      this.#startConfigController().catch(report);
    };
    const cancels = [alarm.add({ resources }, wake), this.#clock.after(borrowingAdjustmentPeriod, wake)];
    cancel = () => {
      for (const one of cancels) one();
    };
    this.#stopFollowing = () => cancel();
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    await this.#configController?.close();
  }

  async #startConfigController(): Promise<void> {
    const store = await FlowControlConfigStore.open(this.#stores);
    this.#configController = new ConfigController({
      flowControl: this.flowControl,
      store,
      clock: this.#clock,
      suggested: this.#suggested,
      report: (err) => this.#logger.error({ err }, 'configuration of priority and fairness failed'),
    });
    await this.#configController.start();
  }
}

function setStrategies(stores: ResourceStores): void {
  stores.setStrategy(flowControlGroup, 'flowschemas', { validate: validateFlowSchema });
  stores.setStrategy(flowControlGroup, 'prioritylevelconfigurations', { validate: validatePriorityLevelConfiguration });
}
