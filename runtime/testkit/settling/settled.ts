import { setTimeout as wait } from 'node:timers/promises';
import { pendingWork } from '../../machinery/event-loop/pending-work.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { RequestLog } from '../requests/request-log.ts';
import { Deadline, millisecondsOf, textOf } from './deadline.ts';
import { underWay } from './under-way.ts';
import { WriteCount } from './write-count.ts';

export interface SettledOptions {
  /**
   * Whose requests and watches count: names of users, as `system:serviceaccount:default:operator`, or user agents, as `my-operator/*`; a
   * `*` at the end is any rest. One that has never asked for anything has not settled. Default: all clients.
   */
  readonly controllers?: readonly string[];
  /**
   * For how long nothing may happen: real time, as Go writes it or in milliseconds. Default: 1 s; 100 ms if the clock of the server is
   * manual.
   */
  readonly quiet?: string | number;
  /** How long to wait for that: real time. Default: 4 s, or four times `quiet` if that is more. */
  readonly timeout?: string | number;
}

/** What settling is judged by. */
export interface SettlingServer {
  readonly stores: ResourceStores;
  readonly requestLog: RequestLog;
  readonly hasManualClock: boolean;
  /** Aborts when the server is closed. */
  readonly closed: AbortSignal;
}

const defaultTimeout = 4000;
/** Milliseconds between two looks. */
const interval = 5;
/** More than this between two looks does not count as quiet. */
const longestInterval = 20;

/** The server has not settled in time. */
export class NotSettledError extends Error {
  readonly isNotSettledError = true;
  /** What was still under way the last time that something was. */
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
 * Resolves once, for a while, nothing has been written, no client has waited for a response, and every watch has been sent all of its
 * events, which the network has taken. What it cannot know: whether a program still thinks about an event for longer than `quiet`, and what
 * happens later, as when a backoff ends. It never advances a manual clock.
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
      // while this process was busy, nobody has looked, and nobody was served
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
