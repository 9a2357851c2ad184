import { availableParallelism } from 'node:os';
import type { AdmissionMetricsPage } from '../../admission/admission-metrics.ts';
import type { RequestWorkers, ResourceRequest } from '../../endpoints/resource-request.ts';
import type { ApiContext } from '../../http/context.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import { isStatusError } from '../../machinery/errors/status.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { isStorageError } from '../../storage/errors.ts';
import type { AdmissionPlugins } from '../admission.ts';
import { type BuiltinGroups, forThreads, type ReleaseGroups } from '../groups/groups.ts';
import { WorkerPool } from './pool.ts';
import { deserializeError, type WorkerData, type WorkerRequest } from './protocol.ts';
import { createRpcHandlers, type RpcHandlersOptions } from './rpc-handlers.ts';
import { ThreadAllocations } from './thread-allocations.ts';
import { ThreadReservations } from './thread-reservations.ts';
import { WorkerThread } from './worker-thread.ts';

/** Bytes of a body below which even the most expensive one takes the event loop only some tens of milliseconds. */
const defaultThreshold = 64 * 1024;
/** Milliseconds after which an idle thread ends. Starting one takes a quarter of a second, and keeping one up to 50 MiB. */
const idle = 5_000;
/** The most bytes of bodies that may wait for a thread. */
const waitingBytes = 256 * 2 ** 20;

export interface RequestWorkersOptions extends RpcHandlersOptions {
  readonly clock: Clock;
  readonly builtin: ReleaseGroups | ApiGroup;
  readonly groups: readonly ApiGroup[];
  readonly runtimeConfig: readonly string[];
  readonly audiences: readonly string[];
  readonly unsafeDeletion: boolean;
  readonly features: FeatureGates;
  readonly admission: AdmissionPlugins;
  readonly admissionMetrics: AdmissionMetricsPage;
  /** See ServerOptions.workerThreshold. */
  readonly threshold?: number | undefined;
}

/**
 * Worker threads for requests that would block the event loop. The threads load the served groups. Requests for groups
 * without a module stay on the event loop, because no other thread can load them.
 */
export class PooledRequestWorkers implements RequestWorkers {
  readonly threshold: number;
  readonly #pool: WorkerPool;
  readonly #admissionMetrics: AdmissionMetricsPage;
  /** Names of the groups that only the main thread has. */
  readonly #localGroups: ReadonlySet<string>;

  private constructor(options: RequestWorkersOptions, builtin: BuiltinGroups, threshold: number) {
    const { clock, authorizer, audiences, runtimeConfig, unsafeDeletion, features, admission } = options;
    const { serviceAllocators } = options;
    const data: Omit<WorkerData, 'rpc'> = {
      builtin,
      runtimeConfig,
      audiences,
      unsafeDeletion,
      features,
      admission,
      groupModules: [...new Set(options.groups.flatMap(({ module }) => module ?? []))],
      listsRules: authorizer.rulesFor !== undefined,
      hasExternalObjects: options.listers.external !== undefined,
      serviceFamilies: serviceAllocators.families,
    };
    this.threshold = threshold;
    this.#admissionMetrics = options.admissionMetrics;
    this.#pool = new WorkerPool({
      clock,
      idle,
      waitingBytes,
      size: Math.max(2, Math.min(4, availableParallelism() - 1)),
      start() {
        const quota = new ThreadReservations(options.quota);
        const allocations = new ThreadAllocations(serviceAllocators, options.stores);
        const handlers = createRpcHandlers({ ...options, quota, serviceAllocators: allocations });
        return new WorkerThread(data, handlers, {
          onResult: () => allocations.settle(),
          onEnded() {
            quota.settleAll();
            allocations.giveBack().catch(isLeftToRepair);
          },
        });
      },
    });
    this.#localGroups = new Set(options.groups.filter(({ module }) => module === undefined).flatMap(groupNames));
  }

  /** Returns undefined if the threshold is Infinity, or if `builtin` is a group without a module. */
  static open(options: RequestWorkersOptions): PooledRequestWorkers | undefined {
    const builtin = forThreads(options.builtin);
    const { threshold = defaultThreshold } = options;
    if (builtin === undefined || threshold === Number.POSITIVE_INFINITY) return undefined;
    return new PooledRequestWorkers(options, builtin, threshold);
  }

  serves({ group }: ResourceDefinition): boolean {
    return !this.#localGroups.has(group);
  }

  async run({ ctx, definition, scope }: ResourceRequest, body: Uint8Array): Promise<void> {
    const { state } = ctx;
    const runOnThread = () =>
      this.#pool.run({
        request: workerRequest(ctx, definition, body, scope.clock),
        deadline: state.deadline ?? Number.POSITIVE_INFINITY,
        whenAborted: (callback) => state.onAbort(callback),
      });
    // the object is written with the definition of this moment
    const result = await (definition.decoder === undefined ? runOnThread() : definition.decoder.duringWrite(runOnThread));
    state.addWarnings(...result.warnings);
    if (result.written !== undefined) state.written = result.written;
    this.#admissionMetrics.merge(result.observations ?? []);
    if (result.audit !== undefined) state.audit?.merge(result.audit);
    if (result.kind === 'error') throw deserializeError(result.error);
    const { code, contentType, body: bytes } = result.response;
    await respondBytes(ctx, code, contentType, bytes);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Ignores errors of a closed or unreachable store: a repair controller releases the rest later. */
function isLeftToRepair(error: unknown): void {
  if (!isStorageError(error) && !isStatusError(error)) throw error;
}

function workerRequest({ method, req, state }: ApiContext, definition: ResourceDefinition, body: Uint8Array, clock: Clock): WorkerRequest {
  const { auditId, receivedAt, user, cborEnabled: cbor } = state;
  return {
    method,
    url: req.url ?? '/',
    headers: headersOf(req.headers),
    auditId,
    receivedAt,
    cbor,
    body,
    user: user as UserInfo,
    ...(state.audit && { audit: { level: state.audit.level, omitManagedFields: state.audit.omitManagedFields } }),
    ...(definition.type.unstructured ? { definition: `${definition.resource}.${definition.group}` } : {}),
    now: clock.now(),
    deadline: state.deadline,
  };
}

const groupNames = ({ catalog }: ApiGroup): string[] => catalog.groupVersions.map(({ group }) => group);

/** The headers that endpoints read. */
const sentHeaders = ['accept', 'content-type', 'user-agent'] as const;

function headersOf(headers: ApiContext['req']['headers']): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const name of sentHeaders) if (headers[name] !== undefined) sent[name] = headers[name];
  return sent;
}
