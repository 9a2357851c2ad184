import type { KubeObject } from '../../machinery/object.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import type { SimulationContext } from '../context.ts';
import { kubeletsWriter, type SimulatedNodes } from '../nodes/simulated-nodes.ts';
import { readStage, type Stage } from './stage.ts';
import { StagePlayer } from './stage-player.ts';
import { StageRunner } from './stage-runner.ts';

const resource = { group: 'kwok.x-k8s.io', version: 'v1alpha1', resource: 'stages' };

/** The sources of Stages. */
export interface GivenStages {
  readonly fromFiles: readonly Stage[];
  /** Whether Stage objects in the server count, too. */
  readonly followsObjects: boolean;
}

/** The Stages from files and objects, and the kinds that they control. Nothing else simulates a kind with Stages. */
export class Stages implements Controller {
  readonly #context: SimulationContext;
  readonly #nodes: SimulatedNodes;
  readonly #runner: StageRunner;
  readonly #recorder: EventRecorder;
  readonly #startedAt: number;
  readonly #onKind: () => void;
  readonly #given: GivenStages;
  readonly #fromObjects = new Map<string, Stage>();
  readonly #players = new Map<string, Promise<StagePlayer | undefined>>();
  readonly #stops: (() => void)[] = [];
  #byKind = new Map<string, Stage[]>();
  #follows = false;

  /** @param onKind called when Stages begin or cease to control a kind */
  constructor(context: SimulationContext, nodes: SimulatedNodes, given: GivenStages, onKind: () => void) {
    this.#context = context;
    this.#nodes = nodes;
    this.#given = given;
    this.#onKind = onKind;
    this.#startedAt = context.stores.clock.now();
    this.#recorder = new EventRecorder(context.stores, 'kwok', kubeletsWriter);
    this.#runner = new StageRunner(context.stores, this.#recorder);
  }

  /** Reports whether Stages control a kind. */
  move(apiVersion: string, kind: string): boolean {
    return this.#byKind.has(`${apiVersion}/${kind}`);
  }

  async start(): Promise<void> {
    if (this.#given.followsObjects) {
      this.#stops.push(this.#context.stores.registry.onChange(() => void this.#follow()));
      await this.#follow();
    }
    await this.#change();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.all([...this.#players.values()].map(async (player) => (await player)?.close()));
  }

  /** Follows Stage objects once they are served. */
  async #follow(): Promise<void> {
    const { stores, informers } = this.#context;
    if (this.#follows || !stores.serves(resource.group, resource.version, resource.resource)) return;
    this.#follows = true;
    const informer = await informers.of<KubeObject>(resource);
    const set = (object: KubeObject): void => {
      this.#set(object);
      void this.#change();
    };
    const stop = informer.addEventHandler({
      onAdd: set,
      onUpdate: (_, object) => set(object),
      onDelete: ({ metadata: { name = '' } }) => {
        this.#fromObjects.delete(name);
        void this.#change();
      },
    });
    this.#stops.push(stop);
  }

  #set(object: KubeObject): void {
    const { name = '' } = object.metadata;
    try {
      this.#fromObjects.set(name, readStage(object));
    } catch (error) {
      const { message } = error as Error;
      this.#fromObjects.delete(name);
      this.#context.logger.warn({ err: error }, 'a Stage is ignored');
      this.#recorder.event(referenceTo(object), {
        type: 'Warning',
        reason: 'InvalidStage',
        message: message.slice(0, 1024),
      });
    }
  }

  async #change(): Promise<void> {
    const byKind = new Map<string, Stage[]>();
    for (const stage of [...this.#given.fromFiles, ...this.#fromObjects.values()]) {
      const key = `${stage.apiVersion}/${stage.kind}`;
      const stages = byKind.get(key);
      if (stages === undefined) byKind.set(key, [stage]);
      else stages.push(stage);
    }
    const before = this.#byKind;
    this.#byKind = byKind;
    if ([...before.keys(), ...byKind.keys()].some((key) => before.has(key) !== byKind.has(key))) this.#onKind();
    for (const [key, [first]] of byKind) {
      if (first === undefined) continue;
      const { apiVersion, kind } = first;
      const player = this.#players.get(key) ?? this.#newPlayer(key, apiVersion, kind);
      this.#players.set(key, player);
      (await player)?.replan();
    }
  }

  async #newPlayer(key: string, apiVersion: string, kind: string): Promise<StagePlayer | undefined> {
    const client = await this.#runner.clientFor(apiVersion, kind);
    if (client === undefined) {
      this.#context.logger.warn({ apiVersion, kind }, 'there are Stages of a kind that is not served');
      this.#players.delete(key);
      return undefined;
    }
    const player = new StagePlayer({
      context: this.#context,
      nodes: this.#nodes,
      client,
      startedAt: this.#startedAt,
      stages: () => this.#byKind.get(key) ?? [],
    });
    await player.start();
    return player;
  }
}
