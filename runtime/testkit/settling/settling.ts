import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import { yieldToEventLoop } from '../../machinery/event-loop/yield.ts';

/**
 * What Node calls the work that keeps a process busy only until the system answers. Sockets, timers and servers are not among it:
 * they wait for others.
 */
const brief: ReadonlySet<string> = new Set(['Immediate', 'FSReqCallback', 'FSReqPromise', 'CloseReq']);

/** How many turns of the event loop in a row have to be quiet: one, and another for what the first one began. */
const turns = 2;

let quiet = 0;
let settling: Promise<void> | undefined;

/**
 * Resolves when nothing is under way in this process that needs neither time nor other programs. What was written before has then
 * been stored, has reached all watches and informers, and whatever controllers do about it at once has been done.
 */
export function untilSettled(): Promise<void> {
  quiet = 0;
  // all share one loop, because each of two would see the turns of the other
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
