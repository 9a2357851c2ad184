import type { ServerResponse } from 'node:http';
import { runAtEndOfTurn } from '../machinery/event-loop/yield.ts';

type ReadyResponse = readonly [response: ServerResponse, body: Uint8Array];

let ready: ReadyResponse[] = [];
let before: (() => void)[] = [];

/** Calls `work` before the responses of this turn are sent, or at the end of a turn without responses. */
export function beforeResponses(work: () => void): void {
  if (before.push(work) === 1) runAtEndOfTurn(runBefore);
}

function runBefore(): void {
  const works = before;
  before = [];
  for (const work of works) work();
}

/**
 * Ends a response together with all others of this turn of the event loop. A single response wakes a client that has
 * just gone to sleep, which costs about as much as making the response. Responses in a row find their clients awake.
 * The head of the response must already be written.
 */
export function endInBatch(response: ServerResponse, body: Uint8Array): void {
  if (ready.push([response, body]) === 1) runAtEndOfTurn(flushResponses);
}

/** Sends the ready responses now instead of at the end of the turn. */
export function flushResponses(): void {
  runBefore();
  const responses = ready;
  ready = [];
  for (const [response, body] of responses) response.end(body);
}
