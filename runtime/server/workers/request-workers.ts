import { availableParallelism } from 'node:os';
import type { RequestWorkers, ResourceRequest } from '../../endpoints/resource-request.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { type BuiltinGroups, groupsForThreads } from '../groups/groups.ts';
import { JobAllocations } from './job-allocations.ts';
import { EffectPerformer } from './perform-effects.ts';
import { WorkerPool } from './pool.ts';
import { deserializeError, type Outcome, type WorkerData } from './protocol.ts';
import { type AskedParts, askedObjects } from './questions.ts';
import { jobOf } from './request-job.ts';
import type { RequestWorkersOptions } from './request-workers-options.ts';
import { WorkerThread } from './worker-thread.ts';

/** Bytes of a body below which even the most expensive one takes the event loop only some tens of milliseconds. */
const defaultThreshold = 64 * 1024;
/** Milliseconds after which an idle thread ends. Starting one takes a quarter of a second, and keeping one up to 50 MiB. */
const idle = 5_000;
/** The most bytes of bodies that may wait for a thread. */
const waitingBytes = 256 * 2 ** 20;

/**
 * Runs large writes on threads, but for their reads and writes of the store. The threads load the served groups. Requests
 * for groups without a module stay on the event loop, because no other thread can load them.
 */
export class PooledRequestWorkers implements RequestWorkers {
  readonly threshold: number;
  readonly #options: RequestWorkersOptions;
  readonly #pool: WorkerPool;
  readonly #effects: EffectPerformer;
  /** The parts that are the same for all jobs. */
  readonly #parts: Omit<AskedParts, 'serviceAllocators' | 'writes'>;
  /** Names of the groups that only the main thread has. */
  readonly #localGroups: ReadonlySet<string>;

  private constructor(options: RequestWorkersOptions, builtin: BuiltinGroups, threshold: number) {
    const { clock, authorizer, audiences, runtimeConfig, unsafeDeletion, features, admission } = options;
    const data: Omit<WorkerData, 'answers'> = {
      builtin,
      runtimeConfig,
      audiences,
      unsafeDeletion,
      features,
      admission,
      groupModules: [...new Set(options.groups.flatMap(({ module }) => module ?? []))],
      listsRules: authorizer.rulesFor !== undefined,
      hasExternalObjects: options.listers.external !== undefined,
      serviceFamilies: options.serviceAllocators.families,
    };
    this.threshold = threshold;
    this.#options = options;
    this.#effects = new EffectPerformer(options);
    this.#parts = {
      authorizer,
      objects: askedObjects(options.stores, options.listers),
      ruleResolver: options.ruleResolver,
      tokens: {
        authenticateToken: (token, forAudiences) => options.tokens.authenticateToken(token, forAudiences),
        allowsAnonymous: async () => options.allowsAnonymous(),
        issue: options.issueToken,
      },
    };
    this.#pool = new WorkerPool({
      clock,
      idle,
      waitingBytes,
      size: Math.max(2, Math.min(4, availableParallelism() - 1)),
      start: () => new WorkerThread(data),
    });
    this.#localGroups = new Set(options.groups.filter(({ module }) => module === undefined).flatMap(groupNames));
  }

  /** Returns undefined if the threshold is Infinity, or if `builtin` is a group without a module. */
  static open(options: RequestWorkersOptions): PooledRequestWorkers | undefined {
    const builtin = groupsForThreads(options.builtin);
    const { threshold = defaultThreshold } = options;
    if (builtin === undefined || threshold === Number.POSITIVE_INFINITY) return undefined;
    return new PooledRequestWorkers(options, builtin, threshold);
  }

  serves({ group }: ResourceDefinition): boolean {
    return !this.#localGroups.has(group);
  }

  async run(request: ResourceRequest, body: Uint8Array): Promise<void> {
    const {
      ctx,
      definition: { decoder },
    } = request;
    const runJob = () => this.#runJob(request, body);
    // the object is written with the definition of this moment
    const { effects, result, written } = await (decoder === undefined ? runJob() : decoder.duringWrite(runJob));
    await this.#effects.perform(effects);
    if ('error' in result) throw deserializeError(result.error);
    if (written !== undefined) ctx.state.written = written;
    const { code, contentType, body: bytes } = result.response;
    await respondBytes(ctx, code, contentType, bytes);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Runs the job of a request, and keeps what it notes. */
  async #runJob(request: ResourceRequest, body: Uint8Array): Promise<Outcome> {
    const { state } = request.ctx;
    const allocations = new JobAllocations(this.#options.serviceAllocators, this.#options.stores);
    try {
      const outcome = await this.#pool.run({
        job: jobOf(request, body),
        parts: { ...this.#parts, serviceAllocators: allocations, writes: allocations.writesOf(this.#effects) },
        deadline: state.deadline ?? Number.POSITIVE_INFINITY,
        whenAborted: (callback) => state.onAbort(callback),
      });
      state.addWarnings(...outcome.warnings);
      this.#options.admissionMetrics.merge(outcome.observations);
      if (outcome.audit !== undefined) state.audit?.merge(outcome.audit);
      return outcome;
    } catch (error) {
      await allocations.giveBack();
      throw error;
    }
  }
}

const groupNames = ({ catalog }: ApiGroup): string[] => catalog.groupVersions.map(({ group }) => group);
