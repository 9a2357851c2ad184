import { parseCreateOptions } from '../../http/query.ts';
import { type FieldError, notSupported, required } from '../../machinery/field-error.ts';
import { FieldPath } from '../../machinery/field-path.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { SubresourceDefinition } from '../../machinery/resource.ts';
import { timeText } from '../../machinery/scalars/time.ts';
import { conflict, invalid, pathNotFound } from '../../machinery/status.ts';
import { decodeBody } from '../decode-body.ts';
import type { ResourceRequest } from '../dispatch.ts';
import { checkNamespace } from '../names.ts';
import { writerOf } from '../respond-written.ts';
import { respondSuccess } from './success.ts';

/** A scheduler's decision: the pod runs on this node. (pkg/registry/core/pod/storage BindingREST) */
export async function bindingSubresource(request: ResourceRequest, { type }: SubresourceDefinition): Promise<void> {
  const { ctx, definition, store, namespace, name, deps } = request;
  if (type === undefined) throw pathNotFound();
  const options = parseCreateOptions(ctx.state.query);
  const binding = await decodeBody(ctx, type, options.fieldValidation);
  checkNamespace(request, binding);
  requireTarget(binding);
  const now = deps.clock.now();
  await store.update(
    definition,
    {
      namespace,
      name,
      change: (pod) => bind(pod as KubeObject),
      part: 'all',
      createIfAbsent: false,
      requireVersion: false,
    },
    writerOf(request, options.dryRun),
  );
  await respondSuccess(request, 201);

  function bind(pod: KubeObject): KubeObject {
    const refuse = (why: string) => conflict({ group: '', resource: 'pods/binding' }, name, why);
    if (pod.metadata.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
    if (pod.spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
    if ((pod.spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
    pod.spec.nodeName = binding.target.name;
    pod.metadata.annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
    if (Object.keys(pod.metadata.annotations).length === 0) delete pod.metadata.annotations;
    const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: timeText(now) };
    const others = (pod.status?.conditions ?? []).filter((one: { type: string }) => one.type !== 'PodScheduled');
    pod.status = { ...pod.status, conditions: [...others, scheduled] };
    return pod;
  }
}

function requireTarget(binding: KubeObject): void {
  const errors: FieldError[] = [];
  const { kind = '', name = '' } = binding.target ?? {};
  if (kind !== '' && kind !== 'Node')
    errors.push(notSupported(FieldPath.of('target', 'kind'), kind, ['Node', '<empty>']));
  if (name === '') errors.push(required(FieldPath.of('target', 'name')));
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, binding.metadata.name ?? '', errors);
}
