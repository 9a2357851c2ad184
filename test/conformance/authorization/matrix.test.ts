import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuthorizerAttributes } from '../../../runtime/authorization/authorizer.ts';
import type { PolicyRule, Subject } from '../../../runtime/authorization/rbac/objects.ts';
import type { UserInfo } from '../../../runtime/machinery/user-info.ts';
import { type RbacObjects, readRbac } from '../../support/rbac-reading.ts';
import { TestServer } from '../../support/test-server.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const json = 'application/json';

const rule = (verbs: string, groups: string, resources: string, names?: string): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: groups.split(',').map((group) => group.replace('core', '')),
  resources: resources.split(' '),
  ...(names === undefined ? {} : { resourceNames: names.split(' ') }),
});
const urls = (verbs: string, nonResourceURLs: string): PolicyRule => ({
  verbs: verbs.split(' '),
  nonResourceURLs: nonResourceURLs.split(' '),
});

const clusterRoles: Readonly<Record<string, PolicyRule[]>> = {
  'pod-reader': [rule('get list watch', 'core', 'pods')],
  'log-reader': [rule('get', 'core', 'pods/log')],
  scaler: [rule('get update patch', '*', '*/scale')],
  'named-maps': [rule('get delete', 'core', 'configmaps', 'a b')],
  'any-verb': [rule('*', 'apps', 'deployments')],
  'any-resource': [rule('get', 'core', '*')],
  'any-group': [rule('list', '*', 'deployments')],
  metrics: [urls('get', '/metrics')],
  'api-paths': [urls('get', '/apis* /nowhere/*')],
  creator: [rule('create', 'core,apps', 'configmaps deployments')],
};
const roles: Readonly<Record<string, PolicyRule[]>> = {
  'red/secrets': [rule('get list', 'core', 'secrets')],
  'red/eraser': [rule('delete deletecollection', 'core', 'configmaps pods')],
  'blue/secrets': [rule('get', 'core', 'secrets', 's')],
};

const person = (name: string): Subject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name });
const team = (name: string): Subject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name });
const account = (name: string, namespace?: string): Subject => ({ kind: 'ServiceAccount', name, namespace });

/** Bindings: the namespace ("" for the cluster), the role, and the subjects. */
const bindings: readonly (readonly [where: string, kind: string, role: string, subjects: Subject[]])[] = [
  ['', 'ClusterRole', 'pod-reader', [team('readers'), person('ann')]],
  ['', 'ClusterRole', 'log-reader', [person('ben'), account('bot', 'red')]],
  ['', 'ClusterRole', 'scaler', [team('scalers')]],
  ['', 'ClusterRole', 'metrics', [person('mona')]],
  ['', 'ClusterRole', 'api-paths', [team('readers')]],
  ['', 'ClusterRole', 'any-group', [person('gus')]],
  ['', 'ClusterRole', 'not-there', [person('lost'), team('scalers')]],
  ['', 'ClusterRole', 'view', [team('viewers')]],
  ['', 'ClusterRole', 'cluster-admin', [person('chief')]],
  ['red', 'ClusterRole', 'named-maps', [person('ann'), team('readers')]],
  ['red', 'ClusterRole', 'any-verb', [person('dev'), account('bot', 'blue')]],
  ['red', 'ClusterRole', 'any-resource', [person('all')]],
  ['red', 'ClusterRole', 'creator', [account('bot')]],
  ['red', 'ClusterRole', 'edit', [team('editors')]],
  ['red', 'Role', 'secrets', [person('keeper'), team('system:serviceaccounts:red')]],
  ['red', 'Role', 'eraser', [person('eve')]],
  ['red', 'Role', 'gone', [person('lost')]],
  ['blue', 'Role', 'secrets', [person('keeper'), account('bot', 'red')]],
  ['blue', 'ClusterRole', 'admin', [person('boss')]],
  ['blue', 'ClusterRole', 'any-verb', [team('system:authenticated')]],
];

const names = ['ann', 'ben', 'mona', 'gus', 'lost', 'chief', 'dev', 'all', 'keeper', 'eve', 'boss', 'nobody'];
const groups = ['readers', 'scalers', 'viewers', 'editors', 'system:masters', 'system:monitoring', 'unknown'];
const accounts = ['red:bot', 'blue:bot', 'red:other', 'kube-system:generic-garbage-collector', 'kube-system:job-controller'];

const identity = (name: string, ...own: string[]): UserInfo => ({ name, uid: '', groups: own, extra: {} });
const identities: UserInfo[] = [
  ...names.map((name) => identity(name)),
  ...groups.map((group) => identity('x', group)),
  ...names.slice(0, 7).map((name, at) => identity(name, groups[at % 4], 'unknown')),
  ...accounts.map((name) => identity(`system:serviceaccount:${name}`)),
  ...['system:kube-scheduler', 'system:kube-controller-manager', 'system:kube-proxy', 'system:anonymous'].map((name) => identity(name)),
  ...['system:nodes', 'system:serviceaccounts', 'system:serviceaccounts:red', 'readers'].map((group) => identity('y', group, 'editors')),
  identity('ANN'),
];

/** Method and path; then the attributes of authorization, or nothing for other paths. */
type Row = readonly [method: string, path: string, verb: string, group?: string, resource?: string, namespace?: string, name?: string];

const inNamespace = (namespace: string): Row[] => {
  const core = `/api/v1/namespaces/${namespace}`;
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  return [
    ['GET', `${core}/pods`, 'list', '', 'pods', namespace],
    ['GET', `${core}/pods/p`, 'get', '', 'pods', namespace, 'p'],
    ['GET', `${core}/pods/p/log`, 'get', '', 'pods/log', namespace, 'p'],
    ['GET', `${core}/configmaps/a`, 'get', '', 'configmaps', namespace, 'a'],
    ['GET', `${core}/configmaps/z`, 'get', '', 'configmaps', namespace, 'z'],
    ['DELETE', `${core}/configmaps/a?dryRun=All`, 'delete', '', 'configmaps', namespace, 'a'],
    ['DELETE', `${core}/pods?dryRun=All`, 'deletecollection', '', 'pods', namespace],
    ['POST', `${core}/configmaps?dryRun=All`, 'create', '', 'configmaps', namespace],
    ['GET', `${core}/secrets`, 'list', '', 'secrets', namespace],
    ['GET', `${core}/secrets/s`, 'get', '', 'secrets', namespace, 's'],
    ['GET', `${core}/secrets/t`, 'get', '', 'secrets', namespace, 't'],
    ['GET', `${core}/configmaps?fieldSelector=metadata.name%3Da`, 'list', '', 'configmaps', namespace, 'a'],
    ['POST', `${core}/serviceaccounts/default/token?dryRun=All`, 'create', '', 'serviceaccounts/token', namespace, 'default'],
    ['GET', `${apps}/deployments`, 'list', 'apps', 'deployments', namespace],
    ['GET', `${apps}/deployments/d`, 'get', 'apps', 'deployments', namespace, 'd'],
    ['GET', `${apps}/deployments/d/scale`, 'get', 'apps', 'deployments/scale', namespace, 'd'],
    ['PUT', `${apps}/deployments/d/scale?dryRun=All`, 'update', 'apps', 'deployments/scale', namespace, 'd'],
    ['PATCH', `${apps}/deployments/d/status?dryRun=All`, 'patch', 'apps', 'deployments/status', namespace, 'd'],
    ['POST', `${apps}/deployments?dryRun=All`, 'create', 'apps', 'deployments', namespace],
    ['GET', `${rbac}/namespaces/${namespace}/roles`, 'list', 'rbac.authorization.k8s.io', 'roles', namespace],
    ['GET', `/api/v1/namespaces/${namespace}`, 'get', '', 'namespaces', namespace, namespace],
  ];
};

const requests: readonly Row[] = [
  ...inNamespace('red'),
  ...inNamespace('blue'),
  ['GET', '/api/v1/pods', 'list', '', 'pods'],
  ['GET', '/api/v1/nodes', 'list', '', 'nodes'],
  ['GET', '/api/v1/nodes/n', 'get', '', 'nodes', '', 'n'],
  ['GET', '/apis/apps/v1/deployments', 'list', 'apps', 'deployments'],
  ['GET', `${rbac}/clusterroles/view`, 'get', 'rbac.authorization.k8s.io', 'clusterroles', '', 'view'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'create', 'authorization.k8s.io', 'selfsubjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 'create', 'authorization.k8s.io', 'subjectaccessreviews'],
  ['GET', '/apis/no.such.group/v1/things', 'list', 'no.such.group', 'things'],
  ['GET', '/api/v1/namespaces/red/nothings/x', 'get', '', 'nothings', 'red', 'x'],
  ['GET', '/healthz', 'get'],
  ['GET', '/livez/ping', 'get'],
  ['GET', '/version', 'get'],
  ['GET', '/metrics', 'get'],
  ['GET', '/apis', 'get'],
  ['GET', '/apis/apps', 'get'],
  ['GET', '/openapi/v3', 'get'],
  ['GET', '/nowhere/x', 'get'],
  ['GET', '/', 'get'],
];

function attributesOf([, path, verb, group = '', resource, namespace = '', name = '']: Row, user: UserInfo): AuthorizerAttributes {
  const [plural, subresource = ''] = (resource ?? '').split('/');
  return {
    user,
    verb,
    group,
    namespace,
    name,
    subresource,
    resource: plural,
    version: 'v1',
    path: path.split('?')[0],
    isResourceRequest: resource !== undefined,
  };
}

/** Upstream's message, written independently of the server. (responsewriters.ForbiddenMessage) */
function refusal(
  { user, verb, path, isResourceRequest, group, resource, subresource, namespace, name }: AuthorizerAttributes,
  missing: readonly string[],
): string {
  const reason = missing.length === 0 ? '' : `: RBAC: ${missing.length === 1 ? missing[0] : `[${missing.join(', ')}]`}`;
  const who = `User "${user.name}" cannot ${verb}`;
  if (!isResourceRequest) return `forbidden: ${who} path "${path}"${reason}`;
  const what = group === '' ? resource : `${resource}.${group}`;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const subject = name === '' ? what : `${what} "${name}"`;
  return `${subject} is forbidden: ${who} resource "${full}" in API group "${group}" ${where}${reason}`;
}

describe('40 identities and 60 requests', () => {
  const suite = TestServer.forSuite();
  let objects: RbacObjects;

  beforeAll(async () => {
    const { http } = suite;
    const post = async (path: string, body: object): Promise<void> => {
      const { status, json: answer } = await http.send('POST', path, JSON.stringify(body), json);
      if (status !== 201) throw new Error(`${path}: ${answer.message}`);
    };
    for (const name of ['red', 'blue']) await post('/api/v1/namespaces', { metadata: { name } });
    for (const [name, rules] of Object.entries(clusterRoles)) await post(`${rbac}/clusterroles`, { metadata: { name }, rules });
    for (const [place, rules] of Object.entries(roles)) {
      const [namespace, name] = place.split('/');
      await post(`${rbac}/namespaces/${namespace}/roles`, { metadata: { name }, rules });
    }
    for (const [at, [where, kind, name, subjects]] of bindings.entries()) {
      const path = where === '' ? `${rbac}/clusterrolebindings` : `${rbac}/namespaces/${where}/rolebindings`;
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
      await post(path, { metadata: { name: `b${at}` }, roleRef, subjects });
    }
    const list = async (resource: string) => (await http.get(`${rbac}/${resource}`)).json.items;
    objects = {
      roles: await list('roles'),
      clusterRoles: await list('clusterroles'),
      roleBindings: await list('rolebindings'),
      clusterRoleBindings: await list('clusterrolebindings'),
    };
  });

  test('there are as many', () => expect([identities.length, requests.length]).toEqual([40, 60]));

  test('are answered as the objects read', async () => {
    const wrong: string[] = [];
    let allowed = 0;
    const check = async (user: UserInfo, row: Row): Promise<void> => {
      const [method, path] = row;
      const group = user.name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated';
      const ownGroups = user.name.startsWith('system:serviceaccount:')
        ? ['system:serviceaccounts', `system:serviceaccounts:${user.name.split(':')[2]}`, ...user.groups, group]
        : [...user.groups, group];
      const attributes = attributesOf(row, { ...user, groups: ownGroups });
      const isMaster = user.groups.includes('system:masters');
      const reading = readRbac(objects, attributes);
      const headers: Record<string, string | string[]> = { 'impersonate-user': user.name };
      if (user.groups.length > 0) headers['impersonate-group'] = [...user.groups];
      const body = method === 'POST' || method === 'PUT' || method === 'PATCH' ? '{}' : undefined;
      const type = method === 'PATCH' ? 'application/merge-patch+json' : json;
      const { status, json: answer } = await suite.http.send(method, path, body, body && type, {
        headers: headers as Record<string, string>,
      });
      const may = isMaster || reading.allowed;
      if (may) allowed++;
      const want = may ? 'allowed' : refusal(attributes, reading.missing);
      const got = status === 403 ? (answer.message as string) : 'allowed';
      if (got !== want) wrong.push(`${user.name} ${user.groups.join(',')}: ${method} ${path}: ${got}, not ${want}`);
    };
    for (const user of identities) await Promise.all(requests.map((row) => check(user, row)));
    expect(wrong).toEqual([]);
    // both results occur often
    expect(allowed).toBeGreaterThan(300);
    expect(allowed).toBeLessThan(1_500);
  });
});
