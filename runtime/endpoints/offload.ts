import { maxBodyBytes, readBody } from '../http/body.ts';
import { requestEntityTooLarge } from '../machinery/errors/status.ts';
import { isEventLoopBudgetError } from '../machinery/event-loop/budget.ts';
import type { RequestWorkers, ResourceRequest, VerbHandler } from './resource-request.ts';

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** Returns true for requests that write. Connections to nodes do not. */
export function isWrite({ info, definition }: ResourceRequest): boolean {
  if (!writes.has(info.verb)) return false;
  return info.subresource === '' || definition.subresources.some((one) => one.name === info.subresource && !one.connect);
}

/**
 * Runs a write here, or on a worker if its body or the object that it changes is large. A write that exceeds the budget of
 * the event loop is started again on a worker.
 */
export function runWrite(request: ResourceRequest, run: VerbHandler): void | Promise<void> {
  const { workers } = request.scope;
  if (!workers?.serves(request.definition)) return runWithinBudget(request, run, rejectExpensive);
  const runOnWorker = async (): Promise<void> => workers.run(request, await readBody(request.ctx));
  request.ctx.state.mayStartOver = true;
  const declared = declaredLength(request);
  // The verb rejects a body that is too long, after checking what comes before.
  if (declared !== undefined && declared > maxBodyBytes) return run(request);
  if ((declared ?? 0) >= workers.threshold || changesLarge(request, workers)) return runOnWorker();
  return declared === undefined ? readAndRun(request, workers, run, runOnWorker) : runWithinBudget(request, run, runOnWorker);
}

type RunOnWorker = () => Promise<void>;

async function readAndRun(
  request: ResourceRequest,
  { threshold }: RequestWorkers,
  run: VerbHandler,
  runOnWorker: RunOnWorker,
): Promise<void> {
  const { length } = await readBody(request.ctx);
  return length < threshold ? runWithinBudget(request, run, runOnWorker) : runOnWorker();
}

async function runWithinBudget(request: ResourceRequest, run: VerbHandler, runOnWorker: RunOnWorker): Promise<void> {
  try {
    await run(request);
  } catch (error) {
    if (!isEventLoopBudgetError(error)) throw error;
    await runOnWorker();
  }
}

async function rejectExpensive(): Promise<never> {
  throw requestEntityTooLarge('Request entity too large: it takes more work than one request may');
}

/** Returns undefined if the length is known only after reading the body. */
function declaredLength({ ctx }: ResourceRequest): number | undefined {
  const { 'content-length': length, 'transfer-encoding': transfer } = ctx.req.headers;
  if (length !== undefined) return Number(length);
  // An HTTP/1 request with neither header has no body.
  return transfer === undefined && ctx.req.httpVersionMajor === 1 ? 0 : undefined;
}

function changesLarge({ store, namespace, name }: ResourceRequest, { threshold }: RequestWorkers): boolean {
  if (name === '' || !store.definition.stored) return false;
  const stored = store.collection.latest().get(namespace, name);
  return stored !== undefined && stored.jsonLength >= threshold;
}
