import { conflict, invalid, notFound, type Status, type StatusError } from '../../../machinery/errors/status.ts';
import type { KubeObject, Part } from '../../../machinery/object.ts';
import { timeText } from '../../../machinery/scalars/time.ts';
import { notSupported, required } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../resources/rest.ts';

const bound: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The old way to schedule: POST to the namespace's bindings. */
export const bindingStrategy: RESTStrategy = {
  create: (binding, context) => bindPod(binding, binding.metadata.name ?? '', context),
};

/**
 * Puts a pod on a node, once. Gives the Status to answer with. (pkg/registry/core/pod/storage BindingREST)
 *
 * @throws StatusError 404, 409 when the pod has a node, or gates, or is being deleted, 422
 */
export async function bindPod(binding: KubeObject, name: string, context: WriteContext): Promise<KubeObject> {
  const { stores, namespace, now, user, dryRun, warn } = context;
  const target: Part = binding.target ?? {};
  const errors = [
    ...(['', 'Node'].includes(target.kind ?? '')
      ? []
      : [notSupported(FieldPath.of('target', 'kind'), target.kind, ['Node', '<empty>'])]),
    ...(target.name ? [] : [required(FieldPath.of('target', 'name'))]),
  ];
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, binding.metadata?.name ?? '', errors);
  const pods = await stores.named('', 'v1', 'pods');
  const precondition = binding.metadata?.uid;
  await pods.update(
    pods.definition,
    {
      ...{ namespace, name },
      part: 'all',
      keepGeneration: true,
      createIfAbsent: false,
      requireVersion: false,
      change(pod) {
        if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
        if (precondition && precondition !== pod.metadata.uid) {
          const why = `Precondition failed: UID in precondition: ${precondition}, UID in object meta: ${pod.metadata.uid}`;
          throw conflict({ group: '', resource: 'pods' }, name, why);
        }
        return assign(pod, binding, target.name, now);
      },
    },
    { user, dryRun, warn },
  );
  return bound as unknown as KubeObject;
}

function assign(pod: KubeObject, binding: KubeObject, node: string, now: number): KubeObject {
  const { metadata, spec = {} } = pod;
  const name = metadata.name ?? '';
  if (metadata.deletionTimestamp) throw refused(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  if (spec.nodeName) throw refused(name, `pod ${name} is already assigned to node "${spec.nodeName}"`);
  if (spec.schedulingGates?.length > 0) throw refused(name, `pod ${name} has non-empty .spec.schedulingGates`);
  pod.spec = { ...spec, nodeName: node };
  const { annotations } = binding.metadata ?? {};
  if (annotations && Object.keys(annotations).length > 0) {
    metadata.annotations = { ...metadata.annotations, ...annotations };
  }
  const others = (pod.status?.conditions ?? []).filter(({ type }: Part) => type !== 'PodScheduled');
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timeText(now),
    observedGeneration: metadata.generation,
  };
  pod.status = { ...pod.status, conditions: [...others, scheduled] };
  return pod;
}

const refused = (name: string, why: string): StatusError =>
  conflict({ group: '', resource: 'pods/binding' }, name, why);
