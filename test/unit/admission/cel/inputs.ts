import type { EvaluationInputs } from '../../../../runtime/admission/cel/activation.ts';
import { createAdmissionRequest } from '../../../../runtime/admission/cel/admission-request.ts';
import type { Attributes } from '../../../../runtime/machinery/admission.ts';
import { fromUnstructured, type JsonObject, type KubeObject } from '../../../../runtime/machinery/object.ts';
import type { ResourceDefinition } from '../../../../runtime/machinery/resource.ts';

export const alice = { name: 'alice', uid: '7', groups: ['dev'], extra: { scope: ['a', 'b'] } };

const deployments = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
} as ResourceDefinition;

/** Returns the inputs of expressions for a write of a Deployment by alice. */
export function inputsOf(object: JsonObject | undefined, more: Partial<EvaluationInputs> = {}): EvaluationInputs {
  const attributes: Attributes = {
    definition: deployments,
    type: deployments as unknown as Attributes['type'],
    subresource: '',
    user: alice,
    dryRun: false,
    operation: 'CREATE',
    namespace: 'ns',
    name: 'web',
    object: object && fromUnstructured(object),
    oldObject: undefined,
    options: () => ({ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'me' }),
    warn: () => undefined,
    addAnnotation: () => undefined,
    turn: { yield: () => undefined },
    onOutcome: () => undefined,
    reinvocation: { isNeeded: false, isRunning: false },
  };
  return {
    attributes,
    object: attributes.object,
    oldObject: undefined,
    request: () => createAdmissionRequest(attributes, { kind: deployments, resource: deployments }),
    ...more,
  };
}

export const params = (data: Record<string, string>): KubeObject =>
  fromUnstructured({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'p' }, data });
