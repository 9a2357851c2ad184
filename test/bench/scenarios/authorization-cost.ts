import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthorizerAttributes } from '../../../runtime/authorization/authorizer.ts';
import { privilegedGroups } from '../../../runtime/authorization/builtin.ts';
import { bootstrapPolicy } from '../../../runtime/authorization/rbac/bootstrap-policy/bootstrap-policy.ts';
import type { RoleBinding } from '../../../runtime/authorization/rbac/objects.ts';
import { Policy } from '../../../runtime/authorization/rbac/policy.ts';
import { RBACAuthorizer } from '../../../runtime/authorization/rbac/rbac-authorizer.ts';
import { unionAuthorizer } from '../../../runtime/authorization/union.ts';
import { reportCostOfTwo } from '../cost-of-two.ts';
import { onePod } from '../one-pod.ts';
import { hammer, RawConnection, type RawResponse } from '../raw-client.ts';
import type { Report } from '../report.ts';

const bindings = 5_000;
const namespaces = 200;
const users = 500;
const group = 'rbac.authorization.k8s.io';

/** Measures RBAC with 5,000 bindings. */
export async function authorizationCost(report: Report): Promise<void> {
  report.row(`a decision of RBAC with ${bindings} bindings, in itself`, `${inItself().toFixed(2)} µs`, '', 'at most 2 µs');
  await reportCostOfTwo(report, {
    title: `processor time of a GET, with RBAC and ${bindings} bindings, and with AlwaysAllow`,
    on: ['--storage=memory', '--authorization-mode=RBAC'],
    off: ['--storage=memory', '--authorization-mode=AlwaysAllow'],
    prepareOn: createBindings,
    target: 'a few µs more',
  });
  await reportCostOfAccess(report);
}

const auditPolicy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/**
 * Measures everything before a GET: a service account's token, RBAC and an audit log, against a server without them.
 */
async function reportCostOfAccess(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-access-cost-'));
  try {
    const policy = join(folder, 'policy.yaml');
    await writeFile(policy, JSON.stringify(auditPolicy));
    const log = [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`];
    await reportCostOfTwo(report, {
      title: `processor time of a GET, with a token, RBAC, ${bindings} bindings and an audit log of metadata, and without`,
      on: ['--storage=memory', '--authorization-mode=RBAC', ...log, '--audit-log-maxbackup=1'],
      off: ['--storage=memory', '--authorization-mode=AlwaysAllow'],
      requestOff: onePod.get,
      async prepareOn(connections) {
        await createBindings(connections);
        return tokenOfViewer(connections[0]);
      },
      target: 'at most 40 µs more',
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the token of a service account that may read pods. */
async function tokenOfViewer(connection: RawConnection): Promise<string> {
  const post = (path: string, body: object): Promise<RawResponse> =>
    connection.send(RawConnection.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' }), true);
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await post(accounts, { metadata: { name: 'viewer' } });
  await post(`/apis/${group}/v1/namespaces/default/rolebindings`, {
    metadata: { name: 'viewer' },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'viewer' }],
  });
  const { body } = await post(`${accounts}/viewer/token`, { spec: { expirationSeconds: 7200 } });
  return JSON.parse(String(body)).status.token;
}

/** Returns a binding as in a cluster of many teams: for a user, a group or a service account of a namespace. */
function bindingAt(at: number): RoleBinding {
  const role = ['view', 'edit', 'system:auth-delegator', 'system:node-problem-detector'][at % 4];
  const subject = [
    { apiGroup: group, kind: 'User', name: `user-${at % users}` },
    { apiGroup: group, kind: 'Group', name: `team-${at % 300}` },
    { kind: 'ServiceAccount', namespace: `ns-${at % namespaces}`, name: `account-${at % 50}` },
  ][at % 3];
  return {
    metadata: { namespace: `ns-${at % namespaces}`, name: `binding-${at}` },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: role },
    subjects: [subject],
  };
}

/** Returns the microseconds of a decision. Half of the decisions are refusals. */
function inItself(): number {
  const policy = new Policy();
  const bootstrap = bootstrapPolicy(35);
  const viewed = bootstrap.clusterRoles.find(({ metadata }) => metadata.name === 'system:aggregate-to-view');
  for (const role of bootstrap.clusterRoles) policy.setClusterRole(role.rules ? role : { ...role, rules: viewed?.rules });
  for (const binding of bootstrap.clusterRoleBindings) policy.setBinding(binding);
  for (let at = 0; at < bindings; at++) policy.setBinding(bindingAt(at));
  const authorizer = unionAuthorizer([privilegedGroups, new RBACAuthorizer(policy)]);
  const requests = Array.from(
    { length: 6_000 },
    (_, at): AuthorizerAttributes => ({
      user: { name: `user-${at % users}`, uid: '', groups: [`team-${at % 300}`, 'system:authenticated'], extra: {} },
      verb: at % 2 === 0 ? 'get' : 'delete',
      isResourceRequest: true,
      path: '',
      group: '',
      version: 'v1',
      resource: 'pods',
      subresource: at % 5 === 0 ? 'log' : '',
      namespace: `ns-${at % namespaces}`,
      name: 'p',
    }),
  );
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 30; round++) {
    const started = performance.now();
    for (const request of requests) authorizer.authorize(request);
    best = Math.min(best, ((performance.now() - started) * 1000) / requests.length);
  }
  return best;
}

/** Creates the bindings, including the measured user's permission to read pods. */
async function createBindings(connections: readonly RawConnection[]): Promise<undefined> {
  const post = (path: string, body: object): Buffer =>
    RawConnection.request('POST', path, JSON.stringify(body), { 'content-type': 'application/json' });
  const rbac = `/apis/${group}/v1`;
  const created = [
    ...Array.from({ length: namespaces }, (_, at) => post('/api/v1/namespaces', { metadata: { name: `ns-${at}` } })),
    post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'testers' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: group, kind: 'Group', name: 'testers' }],
    }),
  ];
  await hammer(connections.slice(0, 1), Number.POSITIVE_INFINITY, () => created.shift(), [201]);
  let at = 0;
  const next = (): Buffer | undefined => {
    if (at === bindings) return undefined;
    const binding = bindingAt(at++);
    return post(`${rbac}/namespaces/${binding.metadata.namespace}/rolebindings`, binding);
  };
  await hammer(connections, Number.POSITIVE_INFINITY, next, [201]);
}
