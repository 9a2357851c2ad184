import { availableParallelism } from 'node:os';
import type { RequestWorkers } from '../../endpoints/resource-request.ts';
import type { ApiContext } from '../../http/context.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { WorkerPool } from './pool.ts';
import { fromWire, type WorkerRequest, type WorkerSetup } from './protocol.ts';
import { type ServerCallsParts, serverCalls } from './server-calls.ts';
import { WorkerThread } from './worker-thread.ts';

/** Below, the worst that a body can hold takes the event loop for some tens of milliseconds. */
const defaultThreshold = 64 * 1024;
/** Milliseconds after which a thread without work goes. Starting one takes a quarter of a second. */
const idle = 10_000;
/** Bytes of bodies that wait for a thread, at most. */
const waitingBytes = 256 * 2 ** 20;

export interface RequestWorkersOptions extends ServerCallsParts {
  readonly clock: Clock;
  /** As ServerOptions has it. */
  readonly builtin: boolean | ApiGroup;
  readonly groups: readonly ApiGroup[];
  readonly runtimeConfig: readonly string[];
  readonly audiences: readonly string[];
  /** As ServerOptions.workerThreshold. */
  readonly threshold?: number;
}

/** A pool of threads that serve requests, and is closed with the server. */
export interface ClosableWorkers extends RequestWorkers {
  close(): Promise<void>;
}

/**
 * Threads that run what would hold the event loop. They load the groups that the server has: requests for groups of which
 * nobody says in which module they are stay here. Undefined where that is so of the server's own groups.
 */
export function openRequestWorkers(options: RequestWorkersOptions): ClosableWorkers | undefined {
  const { clock, authorizer, tokens, audiences, runtimeConfig } = options;
  const builtin = typeof options.builtin === 'boolean' ? options.builtin : options.builtin.module;
  const { threshold = defaultThreshold } = options;
  if (builtin === undefined || threshold === Number.POSITIVE_INFINITY) return undefined;
  const setup: Omit<WorkerSetup, 'calls'> = {
    builtin,
    groupModules: [...new Set(options.groups.flatMap(({ module }) => module ?? []))],
    ...{ runtimeConfig, audiences },
    verifiers: tokens.map(({ verifyFor }) => verifyFor !== undefined),
    listsRules: authorizer.rulesFor !== undefined,
  };
  const calls = serverCalls(options);
  const pool = new WorkerPool({
    ...{ clock, idle, waitingBytes },
    size: Math.max(2, Math.min(4, availableParallelism() - 1)),
    start: () => new WorkerThread(setup, calls),
  });
  const here = new Set(options.groups.filter(({ module }) => module === undefined).flatMap(groupNames));
  return {
    threshold,
    serves: ({ group }) => !here.has(group),
    async run({ ctx, definition, scope }, body) {
      const { state } = ctx;
      const work = () =>
        pool.run({
          request: requestOf(ctx, definition, body, scope.clock),
          deadline: state.deadline ?? Number.POSITIVE_INFINITY,
          whenAborted: (callback) => state.onAbort(callback),
        });
      // what is written counts as written by the definition as it is now
      const outcome = await (definition.decoder === undefined ? work() : definition.decoder.duringWrite(work));
      if (outcome.kind === 'failed') {
        state.addWarnings(...outcome.warnings);
        throw fromWire(outcome.error);
      }
      const { code, contentType, body: answer, warnings } = outcome.answer;
      state.addWarnings(...warnings);
      await respondBytes(ctx, code, contentType, answer);
    },
    close: () => pool.close(),
  };
}

function requestOf(
  { method, req, state }: ApiContext,
  definition: ResourceDefinition,
  body: Uint8Array,
  clock: Clock,
): WorkerRequest {
  const { auditId, receivedAt, user, cbor } = state;
  return {
    method,
    url: req.url ?? '/',
    headers: headersOf(req.headers),
    ...{ auditId, receivedAt, cbor, body },
    user: user as UserInfo,
    ...(definition.type.unstructured ? { definition: `${definition.resource}.${definition.group}` } : {}),
    now: clock.now(),
  };
}

const groupNames = ({ catalog }: ApiGroup): string[] => catalog.groupVersions.map(({ group }) => group);

/** What endpoints read. */
const sentHeaders = ['accept', 'content-type', 'user-agent'] as const;

function headersOf(headers: ApiContext['req']['headers']): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of sentHeaders) if (headers[name] !== undefined) sent[name] = headers[name];
  return sent;
}
