import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';

/**
 * Node's names of the work that only waits for the system. Sockets, timers and servers are absent: they wait for
 * others.
 */
const brief: ReadonlySet<string> = new Set(['Immediate', 'FSReqCallback', 'FSReqPromise', 'CloseReq']);

/** The number of consecutive quiet turns of the event loop: the second covers work that the first started. */
const turns = 2;

let quiet = 0;
let settling: Promise<void> | undefined;

/**
 * Resolves when this process has no work left that needs neither time nor other programs. All earlier writes are then
 * stored, have reached every watch and informer, and the immediate reactions of controllers are done.
 */
export function untilSettled(): Promise<void> {
  quiet = 0;
  // callers share one loop, because two loops would count each other's turns as work
  settling ??= settle();
  return settling;
}

async function settle(): Promise<void> {
  while (quiet < turns) {
    await yieldToEventLoop();
    const isBusy = pendingWork.isBusy || process.getActiveResourcesInfo().some((name) => brief.has(name));
    quiet = isBusy ? 0 : quiet + 1;
  }
  settling = undefined;
}
