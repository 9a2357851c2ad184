import { quote } from '../../machinery/go/quote.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { byNode } from '../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../reconcile/informers/shared-informer.ts';
import { type SyncResult, WorkQueue } from '../../reconcile/work-queue.ts';
import type { LoopbackClient } from '../../resources/loopback-client.ts';
import type { SimulationContext } from '../context.ts';
import { DueTimes } from '../due-times.ts';
import { kubeletsWriter, type SimulatedNodes } from '../nodes/simulated-nodes.ts';
import { nextStage, type Stage } from './stage.ts';
import { isOvertaken, StageRunner } from './stage-runner.ts';

/** The number of objects written at once. */
const concurrency = 64;
/** The most attempts of a failing Stage for an unchanged object. */
const maxRetries = 5;

/** A scheduled Stage for one version of an object. */
interface Job {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string | undefined;
  readonly stage: Stage;
  readonly at: number;
  failures: number;
}

export interface StagePlayerOptions {
  readonly context: SimulationContext;
  readonly nodes: SimulatedNodes;
  readonly client: LoopbackClient<KubeObject>;
  readonly startedAt: number;
  /** Returns the current Stages of the kind. */
  stages(): readonly Stage[];
}

/** Runs Stages on the objects of one kind. (pkg/kwok/controllers StageController) */
export class StagePlayer implements Controller {
  readonly #given: StagePlayerOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #queue: WorkQueue<string>;
  readonly #due: DueTimes<string>;
  readonly #recorder: EventRecorder;
  readonly #runner: StageRunner;
  #informer: SharedInformer<KubeObject> | undefined;
  #stop: (() => void) | undefined;
  readonly #nodesSeen = new Set<string>();

  constructor(given: StagePlayerOptions) {
    const { stores, logger } = given.context;
    const same = (key: string): string => key;
    this.#given = given;
    this.#recorder = new EventRecorder(stores, 'kwok', kubeletsWriter);
    this.#runner = new StageRunner(stores, this.#recorder);
    this.#queue = new WorkQueue<string>({
      clock: stores.clock,
      concurrency,
      keyOf: same,
      work: (key) => this.#play(key),
      report: (err) => logger.error({ err }, 'a Stage failed'),
    });
    this.#due = new DueTimes(stores.clock, same, (key) => this.#queue.add(key));
  }

  async start(): Promise<void> {
    const { context, client, nodes } = this.#given;
    const { group, version, resource } = client.definition;
    const informer = await context.informers.of<KubeObject>({ group, version, resource });
    this.#informer = informer;
    if (client.definition.kind === 'Pod' || client.definition.kind === 'Node') {
      nodes.onChange((name, node) => this.#onNode(name, node !== undefined));
    }
    this.#stop = informer.addEventHandler({
      onAdd: (object) => this.#plan(object),
      onUpdate: (_, object) => this.#plan(object),
      onDelete: (last) => this.#cancel(keyOf(last)),
    });
  }

  /** Checks all objects again, because the Stages have changed. */
  replan(): void {
    for (const object of this.#informer?.list() ?? []) this.#plan(object);
  }

  async close(): Promise<void> {
    this.#stop?.();
    this.#due.close();
    await this.#queue.close();
  }

  /** Checks a node, or its pods, when its simulation begins. Heartbeats do not matter. */
  #onNode(name: string, isThere: boolean): void {
    if (!isThere) this.#nodesSeen.delete(name);
    if (!isThere || this.#nodesSeen.has(name)) return;
    this.#nodesSeen.add(name);
    const { kind } = this.#given.client.definition;
    const node = kind === 'Node' ? this.#informer?.get('', name) : undefined;
    if (node !== undefined) this.#plan(node);
    if (kind === 'Pod') for (const pod of this.#informer?.index(byNode).of(name) ?? []) this.#plan(pod);
  }

  /** Reports whether an object is simulated: all, except for other nodes and the pods on them. */
  #isSimulated(object: KubeObject): boolean {
    const { nodes, client } = this.#given;
    const { group, kind } = client.definition;
    if (group !== '') return true;
    if (kind === 'Node') return nodes.get(object.metadata.name ?? '') !== undefined;
    return kind !== 'Pod' || nodes.get(nodeOf(object)) !== undefined;
  }

  #plan(object: KubeObject): void {
    const key = keyOf(object);
    const { resourceVersion, namespace = '', name = '' } = object.metadata;
    const before = this.#jobs.get(key);
    if (before !== undefined && before.resourceVersion === resourceVersion) return;
    this.#cancel(key);
    if (!this.#isSimulated(object)) return;
    const { random } = this.#given.context.stores;
    const chance = (purpose: string): number => random.float(purpose, namespace, name);
    const stage = nextStage(this.#given.stages(), object, () => chance('stage'));
    if (stage === undefined) return;
    const now = this.#given.context.stores.clock.now();
    const at =
      now +
      Math.max(
        0,
        stage.delay(object, now, () => chance('stage-jitter')),
      );
    this.#jobs.set(key, { key, namespace, name, resourceVersion, stage, at, failures: 0 });
    if (at <= now) this.#queue.add(key);
    else this.#due.add(key, at);
  }

  #cancel(key: string): void {
    this.#jobs.delete(key);
    this.#due.delete(key);
  }

  async #play(key: string): Promise<SyncResult> {
    const { context, client, nodes, startedAt } = this.#given;
    const job = this.#jobs.get(key);
    const object = job && this.#informer?.get(job.namespace, job.name);
    const now = context.stores.clock.now();
    if (job === undefined || object === undefined || job.at > now) return 'done';
    if (object.metadata.resourceVersion !== job.resourceVersion) return 'done';
    try {
      await this.#runner.run(job.stage, object, client, { nodes, random: context.stores.random, now, startedAt });
      return 'done';
    } catch (error) {
      if (isOvertaken(error)) return 'done';
      this.#reportFailure(job, object, error as Error);
      return ++job.failures < maxRetries ? 'retry' : 'done';
    }
  }

  /** Reports the first failure of a Stage for an object. */
  #reportFailure({ stage, failures }: Job, object: KubeObject, error: Error): void {
    if (failures > 0) return;
    const { context } = this.#given;
    const message = `Stage ${quote(stage.name)} failed: ${error.message}`.slice(0, 1024);
    this.#recorder.event(referenceTo(object), { type: 'Warning', reason: 'StageFailed', message });
    context.logger.warn({ err: error, stage: stage.name, object: keyOf(object) }, 'a Stage failed');
  }
}

const keyOf = ({ metadata: { namespace = '', name = '' } }: KubeObject): string => `${namespace}/${name}`;
const nodeOf = (object: KubeObject): string => (object as { spec?: { nodeName?: string } }).spec?.nodeName ?? '';
