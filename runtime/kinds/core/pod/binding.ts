import type { Binding, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { badRequest, conflict, notFound, plainError, type Status, type StatusError } from '../../../machinery/errors/status.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { ObjectMeta } from '../../../machinery/object.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import { Field } from '../../../machinery/validation/field.ts';
import { type FieldError, fieldErrorMessage } from '../../../machinery/validation/field-error.ts';
import { FieldPath } from '../../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../../resources/rest.ts';
import { updatePodCondition } from './conditions.ts';

const success: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
const pods = { group: '', resource: 'pods' };

/** Handles POST to the bindings of a namespace, the older way to bind a pod. (LegacyBindingREST) */
export const bindingStrategy: RESTStrategy = {
  create: async (binding: Unvalidated<Binding>, context) => ({
    ...(await bindPod(binding, binding.metadata?.name ?? '', context)),
  }),
};

/** The user, the place and the time of a binding. */
export type BindContext = Pick<WriteContext, 'stores' | 'namespace' | 'now' | 'user' | 'dryRun' | 'internal' | 'onlyAsLeader' | 'warn'>;

/**
 * Assigns a pod to a node, once. (pkg/registry/core/pod/storage, BindingREST)
 *
 * @throws StatusError 404, 422, or 409 if the pod has a node or scheduling gates, or is being deleted
 */
export async function bindPod(binding: Unvalidated<Binding>, name: string, context: BindContext): Promise<Status> {
  const { stores, namespace, now, user, dryRun, internal, onlyAsLeader, warn } = context;
  validatePodBinding(binding);
  if (name === '') throw badRequest('Name parameter required.');
  const storage = await stores.byResource('', 'v1', 'pods');
  await storage.update(
    storage.definition,
    {
      namespace,
      name,
      part: 'all',
      subresource: 'binding',
      keepGeneration: true,
      requireVersion: false,
      change(pod) {
        if (pod === undefined) throw notFound(pods, name);
        checkPreconditions(binding, pod.metadata, `/pods/${namespace}/${name}`);
        assignPod(pod, binding, now);
        return pod;
      },
    },
    { user, dryRun, internal, onlyAsLeader, warn },
  );
  return success;
}

/** Upstream makes no Status for these errors, so they have no reason. (pkg/apis/core/validation, ValidatePodBinding) */
function validatePodBinding({ target: { kind = '', name } = {} }: Unvalidated<Binding>): void {
  const errors: FieldError[] = [];
  const field = Field.at(FieldPath.of('target'), errors);
  if (kind !== '' && kind !== 'Node') field.child('kind').notSupported(kind, ['Node', '<empty>']);
  if (!name) field.child('name').required();
  const messages = errors.map(fieldErrorMessage);
  const [only, ...others] = messages;
  if (only !== undefined) throw plainError(others.length === 0 ? only : `[${messages.join(', ')}]`);
}

/** (apiserver pkg/storage, Preconditions) */
function checkPreconditions({ metadata }: Unvalidated<Binding>, pod: ObjectMeta, key: string): void {
  for (const [member, title] of [
    ['uid', 'UID'],
    ['resourceVersion', 'ResourceVersion'],
  ] as const) {
    const wanted = metadata?.[member];
    if (!wanted || wanted === pod[member]) continue;
    const reason = `Precondition failed: ${title} in precondition: ${wanted}, ${title} in object meta: ${pod[member]}`;
    const detail = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${reason}`;
    throw conflict(pods, pod.name ?? '', detail);
  }
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
  pod.spec = defined({ ...spec, containers: spec?.containers ?? [], nodeName: target?.name });
  if (Object.keys(annotations).length > 0) metadata.annotations = { ...metadata.annotations, ...annotations };
  if (Object.keys(labels).length > 0) metadata.labels = { ...metadata.labels, ...labels };
  pod.status = { ...pod.status };
  delete pod.status.nominatedNodeName;
  updatePodCondition(pod.status, { type: 'PodScheduled', status: 'True' }, now);
}

const bindingConflict = (name: string, detail: string): StatusError => conflict({ group: '', resource: 'pods/binding' }, name, detail);
