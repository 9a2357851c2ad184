import { setTimeout as wait } from 'node:timers/promises';
import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { Deadline, millisecondsOf, textOf } from './deadline.ts';
import { underWay } from './under-way.ts';
import { WriteCount } from './write-count.ts';

export interface SettledOptions {
  /**
   * The clients whose requests and watches count: user names, `system:serviceaccount:default:operator`, or user agents,
   * `my-operator/*`. A `*` at the end matches any rest. A client that has never sent a request has not settled.
   * Default: all clients.
   */
  readonly controllers?: readonly string[];
  /**
   * The required duration of quiet: real time, in Go's notation or in milliseconds. Default: 1 s; 100 ms with a manual
   * clock.
   */
  readonly quiet?: string | number;
  /** The maximum wait, in real time. Default: 4 s, or four times `quiet` if that is more. */
  readonly timeout?: string | number;
}

/** The server as settling observes it. */
export interface SettlingServer {
  readonly stores: ResourceStores;
  readonly requestLog: RequestLog;
  readonly hasManualClock: boolean;
  /** Aborts when the server is closed. */
  readonly closed: AbortSignal;
}

const defaultTimeout = 4000;
/** Milliseconds between checks. */
const interval = 5;
/** The maximum milliseconds of quiet that one check adds. */
const longestInterval = 20;

/** The server did not settle in time. */
export class NotSettledError extends Error {
  readonly isNotSettledError = true;
  /** The last activity seen. */
  readonly reason: string;

  constructor(when: string, reason: string) {
    super(`the server has not settled ${when}: ${reason}`);
    this.reason = reason;
  }
}

export function isNotSettledError(error: unknown): error is NotSettledError {
  return typeof error === 'object' && error !== null && (error as NotSettledError).isNotSettledError === true;
}

/**
 * Resolves when, for a while, nothing was written, no client waited for a response, and the network had taken all
 * events of every watch. It cannot know whether a program handles an event for longer than `quiet`, nor later work,
 * such as the end of a backoff. It never advances a manual clock.
 *
 * @throws NotSettledError, DurationError
 */
export async function settled(server: SettlingServer, options: SettledOptions): Promise<void> {
  const quiet = millisecondsOf(options.quiet ?? (server.hasManualClock ? 100 : 1000));
  const { timeout = Math.max(defaultTimeout, 4 * quiet) } = options;
  const writes = await WriteCount.open(server.stores);
  const deadline = new Deadline(timeout, server.closed);
  let written = writes.count;
  let reason = `it has not been quiet for ${textOf(quiet)} yet`;
  try {
    for (let quietFor = 0, looked = performance.now(); ; ) {
      const now = performance.now();
      const activity = underWay(server.requestLog, options.controllers) ?? workOf(writes.count !== written);
      // a busy process neither checks nor serves, so a long gap does not count as quiet
      quietFor = activity === undefined ? quietFor + Math.min(now - looked, longestInterval) : 0;
      if (activity === undefined && quietFor >= quiet) return;
      looked = now;
      reason = activity ?? reason;
      written = writes.count;
      await deadline.before(wait(interval));
      if (deadline.isOver) throw new NotSettledError(deadline.reason, reason);
    }
  } finally {
    writes.close();
    deadline.cancel();
  }
}

function workOf(hasWritten: boolean): string | undefined {
  if (hasWritten) return 'something is written';
  return pendingWork.isBusy ? 'other threads are at work' : undefined;
}
