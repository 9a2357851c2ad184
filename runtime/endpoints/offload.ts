import { maxBodyBytes, readBody } from '../http/body.ts';
import { requestEntityTooLarge } from '../machinery/errors/status.ts';
import { isEventLoopBudgetError } from '../machinery/event-loop/budget.ts';
import type { RequestWorkers, ResourceRequest, VerbHandler } from './resource-request.ts';

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** Whether a request has a body that counts. Connections to pods are none. */
export function isWrite({ info, definition }: ResourceRequest): boolean {
  if (!writes.has(info.verb)) return false;
  return (
    info.subresource === '' || definition.subresources.some((one) => one.name === info.subresource && !one.connect)
  );
}

/**
 * Runs a write here, or on a worker where it is large: its body, or the object that it changes. What turns out to hold the
 * event loop for too long is begun anew on a worker.
 */
export function runWrite(request: ResourceRequest, run: VerbHandler): void | Promise<void> {
  const { workers } = request.scope;
  if (!workers?.serves(request.definition)) return runShort(request, run, refuseLong);
  const elsewhere = async (): Promise<void> => workers.run(request, await readBody(request.ctx));
  const declared = declaredLength(request);
  // a body that is too long is refused in its turn, behind what else there is to refuse
  if (declared !== undefined && declared > maxBodyBytes) return run(request);
  if ((declared ?? 0) >= workers.threshold || changesLarge(request, workers)) return elsewhere();
  return declared === undefined ? readAndRun(request, workers, run, elsewhere) : runShort(request, run, elsewhere);
}

type RunElsewhere = () => Promise<void>;

async function readAndRun(
  request: ResourceRequest,
  { threshold }: RequestWorkers,
  run: VerbHandler,
  elsewhere: RunElsewhere,
): Promise<void> {
  const { length } = await readBody(request.ctx);
  return length < threshold ? runShort(request, run, elsewhere) : elsewhere();
}

async function runShort(request: ResourceRequest, run: VerbHandler, elsewhere: RunElsewhere): Promise<void> {
  try {
    await run(request);
  } catch (error) {
    if (!isEventLoopBudgetError(error)) throw error;
    await elsewhere();
  }
}

async function refuseLong(): Promise<never> {
  throw requestEntityTooLarge('Request entity too large: it takes more work than one request may');
}

/** Undefined where only reading the body tells. */
function declaredLength({ ctx }: ResourceRequest): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding, 'transfer-encoding': transfer } = ctx.req.headers;
  if (encoding !== undefined) return undefined;
  if (length !== undefined) return Number(length);
  // over HTTP/1 what has neither is empty
  return transfer === undefined && ctx.req.httpVersionMajor === 1 ? 0 : undefined;
}

function changesLarge({ store, namespace, name }: ResourceRequest, { threshold }: RequestWorkers): boolean {
  if (name === '' || !store.definition.stored) return false;
  const stored = store.collection.latest().get(namespace, name);
  return stored !== undefined && stored.jsonLength >= threshold;
}
