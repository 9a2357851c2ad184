import type { IncomingMessage } from 'node:http';

/** Requests whose clients wait for 100 (Continue), with the function that sends it. */
const waiting = new WeakMap<IncomingMessage, () => void>();

/** Records that the client of a request sends its body only after `send` is called. */
export function awaitContinue(request: IncomingMessage, send: () => void): void {
  waiting.set(request, send);
}

export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request);

/** Lets a waiting client send its body. The reader of a body calls it first, so that no client sends a body in vain. */
export function sendContinue(request: IncomingMessage): void {
  const send = waiting.get(request);
  if (send === undefined) return;
  waiting.delete(request);
  send();
}
