import { withMaxInFlightLimit } from '../filters/max-in-flight.ts';
import { withPriorityAndFairness } from '../filters/priority-and-fairness.ts';
import { suggestedFlowSchemas } from '../flowcontrol/bootstrap/flow-schemas.ts';
import { suggestedPriorityLevels } from '../flowcontrol/bootstrap/priority-levels.ts';
import { ConfigController } from '../flowcontrol/config/config-controller.ts';
import { validateFlowSchema, validatePriorityLevelConfiguration } from '../flowcontrol/config/validation.ts';
import { FlowControl } from '../flowcontrol/flow-control.ts';
import { monotonic } from '../flowcontrol/monotonic.ts';
import { flowControlGroup } from '../flowcontrol/objects.ts';
import type { ResourceSize } from '../flowcontrol/work-estimate/list-work-estimator.ts';
import type { ApiMiddleware } from '../http/context.ts';
import type { Clock } from '../machinery/clock.ts';
import type { Logger } from '../observe/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';
import type { Collection, Snapshot } from '../storage/object-store/contract.ts';
import { OptionError } from './feature-gates.ts';
import { openConfigStore } from './flow-control-store.ts';
import type { ServerOptions } from './options.ts';

export interface ServerFlowControlParts {
  readonly options: ServerOptions;
  /** Before any resource is opened. */
  readonly stores: ResourceStores;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How much a server does at once, and for whom. */
export interface ServerFlowControl {
  /** Lets requests in, or not; absent where there are no limits. */
  readonly filter?: ApiMiddleware;
  /** Absent where priority and fairness is switched off. */
  readonly flowControl?: FlowControl;
  /** Resolves when the objects are there and in force. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** @throws OptionError for limits that leave no seats */
export function openFlowControl({ options, stores, clock, logger }: ServerFlowControlParts): ServerFlowControl {
  setRules(stores);
  const { maxRequestsInFlight: readOnly = 400, maxMutatingRequestsInFlight: mutating = 200 } = options;
  for (const [flag, limit] of [
    ['max-requests-inflight', readOnly],
    ['max-mutating-requests-inflight', mutating],
  ] as const) {
    if (limit < 0) throw new OptionError(`--${flag} can not be negative value`);
  }
  let loop: ConfigController | undefined;
  const keepObjects = async (flowControl?: FlowControl): Promise<void> => {
    const report = (err: unknown): void => logger.error({ err }, 'configuration of priority and fairness failed');
    loop = new ConfigController({ flowControl, store: await openConfigStore(stores), clock, report });
    await loop.start();
  };
  const close = async (): Promise<void> => loop?.close();
  const isServed = (): boolean => stores.registry.lookup(flowControlGroup, 'v1', 'flowschemas') !== undefined;
  if (options.priorityAndFairness === false) {
    const limits = readOnly === 0 && mutating === 0 ? {} : { filter: withMaxInFlightLimit({ readOnly, mutating }) };
    const start = async (): Promise<void> => (isServed() ? keepObjects() : undefined);
    return { ...limits, start, close };
  }
  if (readOnly + mutating === 0) {
    throw new OptionError(
      `invalid configuration: MaxRequestsInFlight=${readOnly} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
    );
  }
  const flowControl = new FlowControl({
    clock: monotonic(clock),
    serverConcurrency: readOnly + mutating,
    sizeOf: sizesOf(stores, clock),
  });
  return {
    flowControl,
    filter: withPriorityAndFairness({ flowControl, clock, defaultWait: (options.requestTimeout ?? 60_000) / 4 }),
    async start() {
      // nobody can change what is not served: the configuration that every cluster begins with is in force
      if (isServed()) await keepObjects(flowControl);
      else flowControl.configure(suggestedPriorityLevels, suggestedFlowSchemas);
    },
    close,
  };
}

function setRules(stores: ResourceStores): void {
  stores.setStrategy(flowControlGroup, 'flowschemas', { validate: validateFlowSchema });
  stores.setStrategy(flowControlGroup, 'prioritylevelconfigurations', { validate: validatePriorityLevelConfiguration });
}

/** How long an average is good enough, in milliseconds. */
const averageLasts = 60_000;
/** Objects that it is taken of; of fewer it changes with each of them. */
const sample = 100;

interface Measured {
  at: number;
  objects: number;
  averageBytes: number;
}

/** Sizes of the resources that are open. Counting costs nothing; what an object takes on average is looked at once a minute. */
function sizesOf(stores: ResourceStores, clock: Clock): (group: string, resource: string) => ResourceSize | undefined {
  const collections = new Map<string, Collection>();
  const known = new Map<string, Measured>();
  stores.onOpen(({ definition, collection }) => {
    collections.set(`${definition.group}/${definition.resource}`, collection);
  });
  return (group, resource) => {
    const key = `${group}/${resource}`;
    const snapshot = collections.get(key)?.latest();
    if (snapshot === undefined) return undefined;
    const now = clock.now();
    const objects = snapshot.count();
    const found = known.get(key);
    const lasts = found !== undefined && now - found.at < averageLasts;
    if (lasts && (objects === found.objects || (objects >= sample && found.objects >= sample))) {
      found.objects = objects;
      return found;
    }
    const size = { at: now, objects, averageBytes: averageOf(snapshot) };
    known.set(key, size);
    return size;
  };
}

function averageOf(snapshot: Snapshot): number {
  let [seen, bytes] = [0, 0];
  for (const { jsonLength } of snapshot.scan()) {
    bytes += jsonLength;
    if (++seen === sample) break;
  }
  return seen === 0 ? 0 : bytes / seen;
}
