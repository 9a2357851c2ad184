import { withMaxInFlightLimit } from '../../filters/max-in-flight.ts';
import { withPriorityAndFairness } from '../../filters/priority-and-fairness.ts';
import { FlowControl } from '../../flowcontrol/flow-control.ts';
import { ResourceSizes } from '../../flowcontrol/work-estimate/resource-sizes.ts';
import type { ApiMiddleware } from '../../http/context.ts';
import { monotonicClock } from '../../machinery/clock.ts';
import { OptionError, type ServerOptions } from '../../options/server-options.ts';
import type { WriteAlarm } from '../../reconcile/dormancy/write-alarm.ts';
import { FlowControlConfiguration, type FlowControlConfigurationOptions } from './configuration.ts';

export interface ServerFlowControlOptions extends Omit<FlowControlConfigurationOptions, 'isConfigurable'> {
  readonly options: ServerOptions;
}

/** The flow control of a server: priority and fairness with the objects that configure it, or two plain limits. */
export class ServerFlowControl {
  /** Absent if requests are not limited. */
  readonly filter?: ApiMiddleware;
  /** Absent if priority and fairness is disabled. */
  readonly flowControl?: FlowControl;
  readonly #configuration: FlowControlConfiguration;

  /** @throws OptionError for negative limits, and for limits that leave no seats */
  constructor(given: ServerFlowControlOptions) {
    const { options } = given;
    const limits = inFlightLimits(options);
    if (options.priorityAndFairness !== false) {
      this.flowControl = newFlowControl(given, limits);
      const defaultWait = (options.requestTimeout ?? 60_000) / 4;
      this.filter = withPriorityAndFairness({ flowControl: this.flowControl, clock: given.clock, defaultWait });
    } else if (limits.readOnly > 0 || limits.mutating > 0) this.filter = withMaxInFlightLimit(limits);
    this.#configuration = new FlowControlConfiguration(this.flowControl, { ...given, isConfigurable: options.replay === undefined });
  }

  /** Resolves when the objects of flow control exist and are in force. */
  start(): Promise<void> {
    return this.#configuration.start();
  }

  /** See FlowControlConfiguration.startAs. */
  startAs(origin: FlowControl, alarm: WriteAlarm): void {
    this.#configuration.startAs(origin, alarm);
  }

  close(): Promise<void> {
    return this.#configuration.close();
  }
}

interface InFlightLimits {
  readonly readOnly: number;
  readonly mutating: number;
}

function inFlightLimits({ maxRequestsInFlight = 400, maxMutatingRequestsInFlight = 200 }: ServerOptions): InFlightLimits {
  if (maxRequestsInFlight < 0) throw new OptionError('--max-requests-inflight can not be negative value');
  if (maxMutatingRequestsInFlight < 0) throw new OptionError('--max-mutating-requests-inflight can not be negative value');
  return { readOnly: maxRequestsInFlight, mutating: maxMutatingRequestsInFlight };
}

function newFlowControl({ stores, clock }: ServerFlowControlOptions, { readOnly, mutating }: InFlightLimits): FlowControl {
  const serverConcurrency = readOnly + mutating;
  if (serverConcurrency === 0) {
    throw new OptionError(
      `invalid configuration: MaxRequestsInFlight=${readOnly} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
    );
  }
  const sizes = new ResourceSizes(stores, clock);
  return new FlowControl({
    clock: monotonicClock(clock),
    serverConcurrency,
    sizeOf: (group, resource) => sizes.get(group, resource),
  });
}
