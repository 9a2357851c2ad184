import { reportCostOfTwo } from '../cost-of-two.ts';
import { onePod } from '../one-pod.ts';
import { RawConnection } from '../raw-client.ts';
import type { Report } from '../report.ts';

const server = ['--storage=memory', '--authorization-mode=AlwaysAllow'];
const count = 20;
const group = '/apis/admissionregistration.k8s.io/v1';

/** Typical policies: over containers, labels, names and the requester. */
const expressions = [
  "object.spec.containers.all(c, !c.image.endsWith(':latest'))",
  '!has(object.spec.hostNetwork) || !object.spec.hostNetwork',
  'object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)',
  "!has(object.metadata.labels) || !('forbidden' in object.metadata.labels)",
  "request.operation == 'CREATE' && object.metadata.namespace == request.namespace",
];

/** Measures policies that match a write, and policies that do not. */
export async function policiesCost(report: Report): Promise<void> {
  for (const [resource, matches, target] of [
    ['pods', 'that match it', 'at most 250 µs more'],
    ['services', 'that do not match it', 'nothing more'],
  ] as const) {
    await reportCostOfTwo(report, {
      title: `processor time of creating a pod, with ${count} policies of five expressions each ${matches}, and without`,
      on: server,
      off: server,
      prepareOn: (connections) => createPolicies(connections[0], resource),
      request: onePod.createGenerated,
      target,
    });
  }
}

async function createPolicies(connection: RawConnection, resource: string): Promise<undefined> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] };
  const validations = expressions.map((expression) => ({ expression }));
  const send = (path: string, object: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    return connection.send(RawConnection.request('POST', `${group}/${path}`, JSON.stringify(object), headers), true);
  };
  for (let at = 0; at < count; at++) {
    const metadata = { name: `policy-${at}` };
    const spec = { matchConstraints: { resourceRules: [rule] }, validations };
    await send('validatingadmissionpolicies', { metadata, spec });
    const binding = { policyName: metadata.name, validationActions: ['Deny'] };
    await send('validatingadmissionpolicybindings', { metadata, spec: binding });
  }
}
