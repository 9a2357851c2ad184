import { hasStatusCode } from '../../machinery/errors/status.ts';
import { quote } from '../../machinery/go/quote.ts';
import { parseGroupVersion } from '../../machinery/gvk.ts';
import { defined } from '../../machinery/json/defined.ts';
import { semanticDeepEqual } from '../../machinery/json/equality.ts';
import { isJsonObject } from '../../machinery/json/values.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { EventRecorder } from '../../reconcile/events/event-recorder.ts';
import { referenceTo } from '../../reconcile/events/event-recorder.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { RESTMapper } from '../../resources/rest-mapper.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { kubeletsWriter } from '../nodes/simulated-nodes.ts';
import type { Stage } from './stage.ts';
import { functionsFor, type StageContext } from './stage-context.ts';
import { patched, renderPatch } from './stage-patch.ts';
import type { StagePatch, StageStep } from './stage-steps.ts';

/** Runs the steps of Stages. (pkg/utils/lifecycle doStageSteps) */
export class StageRunner {
  readonly #stores: ResourceStores;
  readonly #recorder: EventRecorder;
  readonly #mapper: RESTMapper;

  constructor(stores: ResourceStores, recorder: EventRecorder) {
    this.#stores = stores;
    this.#recorder = recorder;
    this.#mapper = new RESTMapper(stores.registry);
  }

  /** Returns the client for a kind; undefined if no resource has it. */
  async clientFor(apiVersion: string, kind: string): Promise<LoopbackClient<KubeObject> | undefined> {
    const groupVersion = parseGroupVersion(apiVersion);
    const entry = groupVersion && (await this.#mapper.mapping({ ...groupVersion, kind }));
    if (entry === undefined) return undefined;
    const { group, version, resource } = entry.facts;
    return LoopbackClient.open(this.#stores, { group, version, resource }, kubeletsWriter);
  }

  /** @throws StatusError, TemplateError, Error */
  async run({ steps }: Stage, object: KubeObject, client: LoopbackClient<KubeObject>, context: StageContext): Promise<void> {
    const { namespace = '', name = '', uid } = object.metadata;
    for (const step of steps) {
      if (step.event !== undefined) this.#recorder.event(referenceTo(object), step.event);
      const { finalizers } = step;
      if (finalizers !== undefined) {
        await this.#change(client, object, 'main', (current) => withFinalizers(current, finalizers));
      }
      if (step.delete) {
        await client.delete(namespace, name, defined({ uid, gracePeriodSeconds: 0 }));
        return;
      }
      if (step.patch !== undefined) await this.#patch(step.patch, object, client, context);
      if (step.apply !== undefined) await this.#apply(step.apply, object, context);
    }
  }

  async #patch(patch: StagePatch, object: KubeObject, client: LoopbackClient<KubeObject>, context: StageContext): Promise<void> {
    const functions = functionsFor(object, context);
    await this.#change(client, object, patch.part, (current) => {
      const rendered = renderPatch(patch, current, functions);
      return patched(current, rendered, patch, client.definition);
    });
  }

  /** Changes an object. Writes nothing if nothing changes. */
  async #change(
    client: LoopbackClient<KubeObject>,
    { metadata }: KubeObject,
    part: 'main' | 'status',
    change: (current: KubeObject) => KubeObject,
  ): Promise<void> {
    const { namespace = '', name = '', uid } = metadata;
    const current = client.get(namespace, name);
    if (current === undefined || current.metadata.uid !== uid) return;
    if (semanticDeepEqual(change(structuredClone(current)), current)) return;
    await client.change({ namespace, name }, (object) => (object.metadata.uid === uid ? change(object) : object), part);
  }

  /** Creates or changes the object that a template describes. (pkg/utils/lifecycle ApplyResource) */
  async #apply(apply: StagePatch, source: KubeObject, context: StageContext): Promise<void> {
    const rendered = renderPatch(apply, source, functionsFor(source, context));
    const { apiVersion, kind, metadata } = isJsonObject(rendered) ? rendered : {};
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata)) {
      throw new Error('template must include apiVersion and kind');
    }
    const client = await this.clientFor(apiVersion, kind);
    if (client === undefined) throw new Error(`no matches for kind ${quote(kind)} in version ${quote(apiVersion)}`);
    const namespace = client.definition.namespaced ? String(metadata.namespace ?? source.metadata.namespace ?? '') : '';
    const object = {
      ...(rendered as object),
      metadata: { ...metadata, ...(namespace ? { namespace } : {}) },
    } as KubeObject;
    if (apply.part === 'main' && (await client.createIfAbsent(object)) !== undefined) return;
    const patch = { ...apply, root: '', type: apply.type === 'apply' ? ('' as const) : apply.type };
    const key = { namespace, name: String(metadata.name ?? '') };
    await client.change(key, (current) => patched(current, object as never, patch, client.definition), apply.part);
  }
}

/** (pkg/utils/lifecycle finalizersModify) */
function withFinalizers(object: KubeObject, { add, remove, empty }: NonNullable<StageStep['finalizers']>): KubeObject {
  const before = empty ? [] : (object.metadata.finalizers ?? []).filter((name) => !remove.includes(name));
  object.metadata.finalizers = [...before, ...add.filter((name) => !before.includes(name))];
  return object;
}

/** Reports whether another write came first, which the informer will report. */
export const isOvertaken = (error: unknown): boolean => hasStatusCode(error, 404, 409);
