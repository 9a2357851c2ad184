import type { Binding, Pod, PodCondition } from '../../../../generated/v1.35/core/v1/types.ts';
import { conflict, invalid, notFound, type Status, type StatusError } from '../../../machinery/errors/status.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import type { FieldError } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../resources/rest.ts';

const success: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const pods = { group: '', resource: 'pods' };

/** POST to the bindings of a namespace, the older way to bind a pod. (LegacyBindingREST) */
export const bindingStrategy: RESTStrategy = {
  create: async (binding: Unvalidated<Binding>, context) => ({
    ...(await bindPod(binding, binding.metadata?.name ?? '', context)),
  }),
};

/**
 * Assigns a pod to a node, once. (pkg/registry/core/pod/storage, BindingREST)
 *
 * @throws StatusError 404, 422, or 409 if the pod has a node or scheduling gates, or is being deleted
 */
export async function bindPod(binding: Unvalidated<Binding>, name: string, context: WriteContext): Promise<Status> {
  const { stores, namespace, now, user, dryRun, warn } = context;
  validateBinding(binding);
  const storage = await stores.named('', 'v1', 'pods');
  const uid = binding.metadata?.uid;
  await storage.update(
    storage.definition,
    {
      ...{ namespace, name },
      part: 'all',
      keepGeneration: true,
      createIfAbsent: false,
      requireVersion: false,
      change(pod) {
        if (pod === undefined) throw notFound(pods, name);
        if (uid && uid !== pod.metadata.uid) {
          const detail = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`;
          throw conflict(pods, name, detail);
        }
        assignPod(pod, binding, now);
        return pod;
      },
    },
    { user, dryRun, warn },
  );
  return success;
}

/** (ValidatePodBinding) */
function validateBinding({ metadata, target: { kind = '', name } = {} }: Unvalidated<Binding>): void {
  const errors: FieldError[] = [];
  const field = Field.at(FieldPath.of('target'), errors);
  if (kind !== '' && kind !== 'Node') field.child('kind').notSupported(kind, ['Node', '<empty>']);
  if (!name) field.child('name').required();
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, metadata?.name ?? '', errors);
}

/** (setPodNodeAndMetadata) */
function assignPod(pod: Pod, { metadata: bound, target }: Unvalidated<Binding>, now: number): void {
  const { metadata, spec } = pod;
  const { annotations = {}, labels = {} } = bound ?? {};
  const name = metadata.name ?? '';
  if (metadata.deletionTimestamp) {
    throw bindingConflict(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec?.nodeName) throw bindingConflict(name, `pod ${name} is already assigned to node "${spec.nodeName}"`);
  if (spec?.schedulingGates?.length) throw bindingConflict(name, `pod ${name} has non-empty .spec.schedulingGates`);
  pod.spec = { ...spec, containers: spec?.containers ?? [], nodeName: target?.name };
  if (Object.keys(annotations).length > 0) metadata.annotations = { ...metadata.annotations, ...annotations };
  if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled: PodCondition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timeText(now),
    observedGeneration: metadata.generation,
  };
  pod.status = { ...pod.status, conditions: [...others, scheduled] };
}

const bindingConflict = (name: string, detail: string): StatusError =>
  conflict({ group: '', resource: 'pods/binding' }, name, detail);
