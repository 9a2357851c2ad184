import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Authorizer } from '../../runtime/authorization/authorizer.ts';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { UserInfo } from '../../runtime/machinery/user-info.ts';
import { HttpClient } from '../support/http-client.ts';

const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const agent = 'system:serviceaccount:default:agent';
const on = (mode: string): string => `impersonate-on:${mode}:create selfsubjectreviews /`;

describe('constrained impersonation', () => {
  let server: RunningServer;
  let admin: HttpClient;
  let permissions: readonly string[];
  let asked: string[];
  let extra: UserInfo['extra'];
  let isSetup = false;
  const authorizer: Authorizer = {
    authorize({ user, verb, resource, subresource, namespace, name }) {
      if (isSetup || !['kubernetes-admin', agent].includes(user.name)) return { decision: 'allow', reason: '' };
      extra = user.extra;
      const what = `${verb} ${resource}${subresource && `/${subresource}`} ${namespace}/${name}`;
      asked.push(what);
      return { decision: permissions.includes(what) ? 'allow' : 'no-opinion', reason: '' };
    },
  };

  beforeAll(async () => {
    server = await startServer({ authorizer, featureGates: ['ConstrainedImpersonation=true'] });
    admin = HttpClient.for(server);
  });
  afterAll(async () => {
    admin?.close();
    await server?.close();
  });
  beforeEach(async () => {
    // the permission that is tried first is the one that was used last
    permissions = [on('user-info'), 'impersonate:user-info users /jane'];
    await ask({ 'Impersonate-User': 'jane' });
    asked = [];
  });

  const ask = async (headers: Record<string, string | string[]>) => {
    const { status, json } = await admin.send('POST', whoAmI, '{}', 'application/json', {
      headers: headers as Record<string, string>,
    });
    return status === 201 ? json.status.userInfo : json.message;
  };

  test.each<[string, Record<string, string | string[]>, readonly string[], object]>([
    [
      'a user',
      {
        'Impersonate-User': 'jane',
        'Impersonate-Uid': 'u',
        'Impersonate-Group': ['devs'],
        'Impersonate-Extra-acme.io%2Fx': '1',
      },
      [
        on('user-info'),
        'impersonate:user-info users /jane',
        'impersonate:user-info uids /u',
        'impersonate:user-info groups /devs',
        'impersonate:user-info userextras/acme.io/x /1',
      ],
      { username: 'jane', uid: 'u', groups: ['devs', 'system:authenticated'], extra: { 'acme.io/x': ['1'] } },
    ],
    [
      'many groups at once',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': ['a', 'b', 'c', 'd'] },
      [on('user-info'), 'impersonate:user-info users /jane', 'impersonate:user-info groups /*'],
      { username: 'jane', groups: ['a', 'b', 'c', 'd', 'system:authenticated'] },
    ],
    [
      'a service account',
      { 'Impersonate-User': 'system:serviceaccount:ns:robot' },
      [on('serviceaccount'), 'impersonate:serviceaccount serviceaccounts ns/robot'],
      {
        username: 'system:serviceaccount:ns:robot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
      },
    ],
    [
      'a node',
      { 'Impersonate-User': 'system:node:n1' },
      [on('arbitrary-node'), 'impersonate:arbitrary-node nodes /n1'],
      { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
    ],
    [
      'anyone, with the verb that allows everything',
      { 'Impersonate-User': 'system:node:n1', 'Impersonate-Group': 'system:masters' },
      ['impersonate users /system:node:n1', 'impersonate groups /system:masters'],
      { username: 'system:node:n1', groups: ['system:masters', 'system:authenticated'] },
    ],
  ])('allows to be %s', async (_, headers, allowed, want) => {
    permissions = allowed;
    expect(await ask(headers)).toEqual(want);
    expect(asked).toEqual(expect.arrayContaining([...allowed]));
    for (const missing of allowed) {
      permissions = allowed.filter((each) => each !== missing);
      expect(await ask(headers)).toContain('is forbidden');
    }
  });

  test.each<[string, Record<string, string | string[]>, string]>([
    ['system:masters', { 'Impersonate-Group': ['system:masters'] }, 'impersonating the system:masters group is not allowed'],
    ['an extra without a domain', { 'Impersonate-Extra-scopes': 'a' }, 'impersonating an invalid key in extra is not allowed'],
  ])('does not allow %s', async (_, headers, why) => {
    permissions = [on('user-info'), 'impersonate:user-info users /jane', 'impersonate:user-info groups /system:masters'];
    expect(await ask({ 'Impersonate-User': 'jane', ...headers })).toContain(why);
  });

  test('says first what permission for the request is missing', async () => {
    permissions = [];
    expect(await ask({ 'Impersonate-User': 'jane' })).toBe(
      'selfsubjectreviews.authentication.k8s.io is forbidden: User "kubernetes-admin" cannot impersonate-on:user-info:create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    );
  });

  test('tries first what has allowed something to the requestor before', async () => {
    const user = { 'Impersonate-User': 'system:node:n1' };
    permissions = ['impersonate users /system:node:n1', 'impersonate groups /g'];
    expect((await ask({ ...user, 'Impersonate-Group': ['g'] })).groups).toEqual(['g', 'system:authenticated']);
    permissions = ['impersonate users /system:node:n1', on('arbitrary-node'), 'impersonate:arbitrary-node nodes /n1'];
    expect((await ask(user)).groups).toEqual(['system:authenticated']);
    permissions = [on('arbitrary-node'), 'impersonate:arbitrary-node nodes /n1'];
    expect((await ask(user)).groups).toEqual(['system:nodes', 'system:authenticated']);
    permissions = ['impersonate users /system:node:n1', ...permissions];
    expect((await ask(user)).groups).toEqual(['system:nodes', 'system:authenticated']);
  });

  test('allows a pod to be its own node, and no other', async () => {
    isSetup = true;
    const post = (path: string, body: object) => admin.send('POST', `/api/v1/${path}`, JSON.stringify(body), 'application/json');
    await post('namespaces/default/serviceaccounts', { metadata: { name: 'agent' } });
    await post('nodes', { metadata: { name: 'n1' } });
    await post('namespaces/default/pods', {
      metadata: { name: 'p' },
      spec: { nodeName: 'n1', serviceAccountName: 'agent', containers: [{ name: 'c', image: 'i' }] },
    });
    const spec = { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } };
    const { token } = (await post('namespaces/default/serviceaccounts/agent/token', { spec })).json.status;
    isSetup = false;
    const pod = HttpClient.withoutCertificate(server);
    permissions = [on('associated-node'), 'impersonate:associated-node nodes /*'];
    const be = (node: string) =>
      pod.send('POST', whoAmI, '{}', 'application/json', {
        headers: { authorization: `Bearer ${token}`, 'Impersonate-User': `system:node:${node}` },
      });
    const { status, json } = await be('n1');
    expect([status, json.status?.userInfo.groups]).toEqual([201, ['system:nodes', 'system:authenticated']]);
    const key = (name: string): string => `authentication.kubernetes.io/${name}`;
    expect(extra).toEqual({
      [key('associated-node-keys')]: ['credential-id', 'node-name', 'node-uid', 'pod-name', 'pod-uid'].map(key),
    });
    expect((await be('n2')).status).toBe(403);
    pod.close();
  });
});
