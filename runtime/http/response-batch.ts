import type { ServerResponse } from 'node:http';
import { runAtEndOfTurn } from '../machinery/event-loop/yield.ts';

type Answer = readonly [response: ServerResponse, body: Uint8Array];

let ready: Answer[] = [];

/**
 * Ends a response together with all others that become ready in this turn of the event loop. An answer that is sent on
 * its own wakes a client that has just gone to sleep, which costs the machine about as much as making the answer;
 * answers sent back to back find their clients awake. The head of the response must be written already.
 */
export function endInBatch(response: ServerResponse, body: Uint8Array): void {
  if (ready.push([response, body]) === 1) runAtEndOfTurn(flushResponses);
}

/** Sends what is ready now, without waiting for the next turn. */
export function flushResponses(): void {
  const answers = ready;
  ready = [];
  for (const [response, body] of answers) response.end(body);
}
