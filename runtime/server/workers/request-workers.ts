import { availableParallelism } from 'node:os';
import type { AdmissionMetricsPage } from '../../admission/admission-metrics.ts';
import { negotiateEncoding } from '../../endpoints/encodings/negotiate.ts';
import type { RequestWorkers, ResourceRequest } from '../../endpoints/resource-request.ts';
import { respondWithResult } from '../../endpoints/write-result.ts';
import type { WrittenObject } from '../../http/request-state.ts';
import { respondBytes } from '../../http/respond.ts';
import type { ApiGroup } from '../../machinery/api-group.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { FeatureGates } from '../../machinery/feature-gates/feature-gates.ts';
import type { ResourceDefinition } from '../../machinery/resource.ts';
import { nameTaken } from '../../resources/write/create.ts';
import type { StoredObject } from '../../storage/object-store/contract.ts';
import { dataOf } from '../../storage/object-store/detached-object.ts';
import { isTooLargeError } from '../../storage/object-store/request-size.ts';
import type { AdmissionPlugins } from '../admission.ts';
import { type BuiltinGroups, forThreads, type ReleaseGroups } from '../groups/groups.ts';
import { keyOfWrite } from './effects.ts';
import type { Fact, JobFacts } from './facts.ts';
import { JobAllocations } from './job-allocations.ts';
import { type Conflict, EffectPerformer, type EffectsOptions } from './perform-effects.ts';
import { WorkerPool } from './pool.ts';
import { deserializeError, type Job, type Outcome, type Verdict, type WorkerData } from './protocol.ts';
import { type AnswersOptions, newAnswers } from './questions.ts';
import { factsAfter, factsFor, generalFacts, jobOf, storedAs, urlOf } from './request-job.ts';
import { WorkerThread } from './worker-thread.ts';

/** Bytes of a body below which even the most expensive one takes the event loop only some tens of milliseconds. */
const defaultThreshold = 64 * 1024;
/** Milliseconds after which an idle thread ends. Starting one takes a quarter of a second, and keeping one up to 50 MiB. */
const idle = 5_000;
/** The most bytes of bodies that may wait for a thread. */
const waitingBytes = 256 * 2 ** 20;

export interface RequestWorkersOptions extends AnswersOptions, EffectsOptions {
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

/** What a job leaves for its request: an error is thrown, and a conflict runs the job again. */
interface Done {
  readonly verdict: Exclude<Verdict, { readonly kind: 'error' }>;
  /** The object that the request is about. */
  readonly stored: StoredObject | undefined;
  readonly written: WrittenObject | undefined;
}

/**
 * Runs the costly part of large writes on threads. A job gets bytes and facts, and returns effects and a response; the
 * effects happen here. The threads load the served groups. Requests for groups without a module stay on the event loop,
 * because no other thread can load them.
 */
export class PooledRequestWorkers implements RequestWorkers {
  readonly threshold: number;
  readonly #options: RequestWorkersOptions;
  readonly #pool: WorkerPool;
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
    const builtin = forThreads(options.builtin);
    const { threshold = defaultThreshold } = options;
    if (builtin === undefined || threshold === Number.POSITIVE_INFINITY) return undefined;
    return new PooledRequestWorkers(options, builtin, threshold);
  }

  serves({ group }: ResourceDefinition): boolean {
    return !this.#localGroups.has(group);
  }

  async run(request: ResourceRequest, body: Uint8Array): Promise<void> {
    const { ctx, definition } = request;
    const write = () => this.#write(request, body);
    // the object is written with the definition of this moment
    const { verdict, stored, written } = await (definition.decoder === undefined ? write() : definition.decoder.duringWrite(write));
    if (written !== undefined) ctx.state.written = written;
    if (verdict.kind === 'object' && stored !== undefined) return this.#respondWithStored(request, verdict.code, stored);
    if (verdict.kind === 'object') throw new Error('a job has planned no object for its response');
    const { code, contentType, body: bytes } = verdict.response;
    await respondBytes(ctx, code, contentType, bytes);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Runs jobs until one has no conflict. */
  async #write(request: ResourceRequest, body: Uint8Array): Promise<Done> {
    let facts = await factsFor(request);
    for (;;) {
      const result = await this.#attempt(request, body, facts);
      if ('verdict' in result) return result;
      facts = { ...facts, revision: request.scope.stores.revision(), ...result };
    }
  }

  /** Resolves with facts for another job after a conflict, or if the object is too large. */
  async #attempt(request: ResourceRequest, body: Uint8Array, facts: JobFacts): Promise<Done | Partial<JobFacts>> {
    const allocations = new JobAllocations(this.#options.serviceAllocators, this.#options.stores);
    let isStored = false;
    let outcome: Outcome | undefined;
    try {
      outcome = await this.#runJob(request, jobOf(request, body, facts), allocations);
      const { verdict, effects, written } = outcome;
      if (verdict.kind === 'error') throw deserializeError(verdict.error);
      const performed = await new EffectPerformer(this.#options, written?.revision).perform(effects);
      if ('conflict' in performed) {
        if (!isNameTaken(request, performed.conflict, written)) return factsAfter(request, facts, performed.conflict);
        throw await nameTaken(request.definition, request.store.collection, keyOfWrite(performed.conflict.write), false);
      }
      isStored = true;
      this.#keepNotes(request, outcome);
      const stored = written && performed.stored.get(written.revision);
      return { verdict, stored, written: stored ?? written };
    } catch (error) {
      if (isTooLargeError(error) && facts.refusal === undefined && !facts.checksSize) return { refusal: (error as Error).message };
      if (outcome !== undefined) this.#keepNotes(request, outcome);
      throw error;
    } finally {
      if (isStored) allocations.keep();
      else await allocations.giveBack();
    }
  }

  #runJob({ ctx: { state } }: ResourceRequest, job: Job, allocations: JobAllocations): Promise<Outcome> {
    return this.#pool.run({
      job,
      answers: newAnswers(this.#options, allocations),
      deadline: state.deadline ?? Number.POSITIVE_INFINITY,
      whenAborted: (callback) => state.onAbort(callback),
    });
  }

  #keepNotes({ ctx: { state } }: ResourceRequest, { warnings, observations, audit }: Outcome): void {
    state.addWarnings(...warnings);
    this.#options.admissionMetrics.merge(observations);
    if (audit !== undefined) state.audit?.merge(audit);
  }

  /** Sends a stored object. A thread encodes a large one, unless the response is its stored bytes. */
  async #respondWithStored(request: ResourceRequest, code: number, stored: StoredObject): Promise<void> {
    const { ctx, definition, info } = request;
    const encoding = await negotiateEncoding(request, 'object');
    const isDirect = encoding.copiesStored === true && (definition.decoder === undefined || definition.decoder.isCurrent(stored));
    const isSmall = stored.jsonLength < this.threshold;
    if (info.subresource !== 'scale' && (isDirect || isSmall))
      return respondWithResult(request, code, encoding, { kind: 'stored', stored });
    const fact: Fact = {
      collection: storedAs(definition),
      namespace: stored.namespace,
      name: stored.name,
      object: dataOf(stored),
      isNewest: true,
    };
    const facts = { ...generalFacts(request), objects: [fact] };
    const job = { ...jobOf(request, new Uint8Array(), facts), method: 'GET', url: urlOf(request, stored.name) };
    const { verdict, audit } = await this.#runJob(request, job, new JobAllocations(this.#options.serviceAllocators, this.#options.stores));
    if (audit !== undefined) ctx.state.audit?.merge(audit);
    if (verdict.kind === 'error') throw deserializeError(verdict.error);
    if (verdict.kind !== 'response') throw new Error('a read has no response');
    await respondBytes(ctx, code, verdict.response.contentType, verdict.response.body);
  }
}

/** Whether a POST has lost the name that its client chose. Other conflicts can go differently in another run. */
const isNameTaken = ({ info }: ResourceRequest, { write }: Conflict, written: WrittenObject | undefined): boolean =>
  info.verb === 'create' && write.kind === 'put' && write.planned === written?.revision && !write.generatesName;

const groupNames = ({ catalog }: ApiGroup): string[] => catalog.groupVersions.map(({ group }) => group);
