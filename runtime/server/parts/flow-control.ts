import { type Opened, part } from '../assembly/part.ts';
import { ServerFlowControl } from '../flow-control/flow-control.ts';
import { forkDormancy } from '../fork/dormancy.ts';
import { bootstrapObjects } from './bootstrap.ts';
import type { ForkMoment } from './fork-moment.ts';
import { config } from './inputs.ts';
import { delegate } from './listers.ts';
import { stores } from './resources.ts';
import { milestones } from './shared-state.ts';

/** Priority and fairness, or two plain limits. */
export const flowControl = part('flowControl', {
  needs: { config, stores, delegate },
  open({ config: { options, clock, logger, minor }, stores, delegate }) {
    return new ServerFlowControl({ options, stores, clock, logger, minor, delegate });
  },
});

/** The sleeping controllers of a fork. Undefined for other servers, which start all controllers at once. */
export const dormancy = part('dormancy', {
  needs: { stores, bootstrapObjects },
  open: (): Awaited<ReturnType<typeof forkDormancy>> | undefined => undefined,
  close: (opened) => opened?.alarm.close(),
  fork: {
    take: (_dormancy, { busy }: ForkMoment) => busy,
    open: (busy, { stores }) => forkDormancy(stores, busy),
  },
});

const needs = { config, flowControl, dormancy, milestones };

/**
 * Starts to follow the objects of flow control while other parts open. A fork of the current state starts with its
 * origin's configuration.
 */
export const startedFlowControl = part('startedFlowControl', {
  needs,
  open: (opened) => inBackground(opened, () => opened.flowControl.start()),
  close: ({ flowControl }) => flowControl.close(),
  fork: {
    take: ({ flowControl }, { isCurrent }: ForkMoment) => (isCurrent ? flowControl.flowControl : undefined),
    open: (origin, opened) =>
      inBackground(opened, async () => {
        if (opened.dormancy === undefined) await opened.flowControl.start();
        else opened.flowControl.startAs(origin, opened.dormancy.alarm);
      }),
  },
});

interface StartedFlowControl {
  readonly flowControl: ServerFlowControl;
  /** Resolves when the objects of flow control are in force. */
  readonly ready: Promise<void>;
}

function inBackground({ config, flowControl, milestones }: Opened<typeof needs>, start: () => Promise<void>): StartedFlowControl {
  const ready = config.startOrder(async () => {
    await start();
    milestones.reached('flow control configured');
  });
  // the last part of the start awaits this promise, unless another part fails before
  ready.catch(() => undefined);
  return { flowControl, ready };
}
