import { suggestedFlowSchemasOf } from '../../flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../../flowcontrol/bootstrap/priority-levels.ts';
import { borrowingAdjustmentPeriod } from '../../flowcontrol/concurrency/borrowing.ts';
import { ConfigController } from '../../flowcontrol/config/config-controller.ts';
import { FlowControlConfigStore } from '../../flowcontrol/config/flow-control-store.ts';
import { validateFlowSchema, validatePriorityLevelConfiguration } from '../../flowcontrol/config/validation.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { type FlowSchema, flowControlGroup } from '../../flowcontrol/objects.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { WriteAlarm } from '../../reconcile/dormancy/write-alarm.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { DelegateObjects } from '../delegated/delegate-objects.ts';

export interface FlowControlConfigurationOptions {
  /** No resource of these stores may be open yet. */
  readonly stores: ResourceStores;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The minor version of the Kubernetes release. */
  readonly minor: number;
  /** The objects that configure flow control if this server does not serve them. Default: none. */
  readonly delegate?: DelegateObjects | undefined;
  /** False for a server that replays a recording, which contains the statuses of flow control's objects. */
  readonly isConfigurable: boolean;
}

/** Follows the objects that configure flow control: FlowSchemas and PriorityLevelConfigurations. */
export class FlowControlConfiguration {
  readonly #flowControl: FlowControl | undefined;
  readonly #options: FlowControlConfigurationOptions;
  readonly #suggested: readonly FlowSchema[];
  #configController: ConfigController | undefined;
  #stopFollowing = (): void => undefined;

  /** @param flowControl undefined if priority and fairness is disabled; the objects exist nevertheless */
  constructor(flowControl: FlowControl | undefined, options: FlowControlConfigurationOptions) {
    this.#flowControl = flowControl;
    this.#options = options;
    this.#suggested = suggestedFlowSchemasOf(options.minor);
    setStrategies(options.stores);
  }

  /** Resolves when the objects of flow control exist and are in force. */
  async start(): Promise<void> {
    const isServed =
      this.#options.isConfigurable && this.#options.stores.registry.lookup(flowControlGroup, 'v1', 'flowschemas') !== undefined;
    if (isServed) return this.#startConfigController();
    // without objects, the suggested configuration is in force
    this.#flowControl?.configure(suggestedPriorityLevels, this.#suggested);
    if (this.#flowControl === undefined || this.#options.delegate === undefined) return;
    const { followFlowControl } = await import('../delegated/flow-control.ts');
    this.#stopFollowing = followFlowControl(this.#flowControl, this.#options.delegate, this.#options.clock);
  }

  /**
   * Starts with the objects of the origin, which this server has too. Follows them once one of them is written, or when
   * it is time to borrow seats.
   */
  startAs(origin: FlowControl, alarm: WriteAlarm): void {
    this.#flowControl?.configureAs(origin);
    const report = (err: unknown): void => this.#options.logger.error({ err }, 'priority and fairness could not start');
    const resources = ['flowschemas', 'prioritylevelconfigurations'].map((one) => `${one}.${flowControlGroup}`);
    let cancel = (): void => undefined;
    const wake = (): void => {
      cancel();
      this.#startConfigController().catch(report);
    };
    const cancels = [alarm.add({ resources }, wake), this.#options.clock.after(borrowingAdjustmentPeriod, wake)];
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
    const store = await FlowControlConfigStore.open(this.#options.stores);
    this.#configController = new ConfigController({
      flowControl: this.#flowControl,
      store,
      clock: this.#options.clock,
      suggested: this.#suggested,
      report: (err) => this.#options.logger.error({ err }, 'configuration of priority and fairness failed'),
    });
    await this.#configController.start();
  }
}

function setStrategies(stores: ResourceStores): void {
  stores.setStrategy(flowControlGroup, 'flowschemas', { validate: validateFlowSchema });
  stores.setStrategy(flowControlGroup, 'prioritylevelconfigurations', { validate: validatePriorityLevelConfiguration });
}
