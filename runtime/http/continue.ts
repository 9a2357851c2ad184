import type { IncomingMessage } from 'node:http';

/** Requests whose clients wait for 100 (Continue), and what sends it. */
const waiting = new WeakMap<IncomingMessage, () => void>();

/** Says that the client of a request sends its body when `send` is called, or never. */
export function awaitContinue(request: IncomingMessage, send: () => void): void {
  waiting.set(request, send);
}

export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request);

/** Lets a client that waits for it send its body. Whoever reads the body calls it first, so that nobody sends one in vain. */
export function sendContinue(request: IncomingMessage): void {
  const send = waiting.get(request);
  if (send === undefined) return;
  waiting.delete(request);
  send();
}
