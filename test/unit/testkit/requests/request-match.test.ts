import { describe, expect, test } from '@jest/globals';
import { parseRequestInfo } from '../../../../runtime/http/request-info.ts';
import { type RequestMatch, requestPredicate } from '../../../../runtime/testkit/requests/request-match.ts';

interface Row {
  readonly match: RequestMatch;
  readonly request: string;
  readonly matches: boolean;
}

const requests: Readonly<Record<string, readonly [method: string, path: string]>> = {
  'get pod': ['GET', '/api/v1/namespaces/default/pods/web'],
  'get status': ['GET', '/api/v1/namespaces/default/pods/web/status'],
  'list pods': ['GET', '/api/v1/pods'],
  'create deployment': ['POST', '/apis/apps/v1/namespaces/shop/deployments'],
  'get scale': ['GET', '/apis/apps/v1/namespaces/shop/deployments/web/scale'],
  'get readyz': ['GET', '/readyz'],
};

describe('a match of requests', () => {
  test.each<Row>([
    { match: {}, request: 'get pod', matches: true },
    { match: {}, request: 'get readyz', matches: true },
    { match: { verbs: ['get', 'list'] }, request: 'list pods', matches: true },
    { match: { verbs: ['create'] }, request: 'list pods', matches: false },
    { match: { verbs: [] }, request: 'list pods', matches: false },
    { match: { apiGroups: [''] }, request: 'get pod', matches: true },
    { match: { apiGroups: [''] }, request: 'create deployment', matches: false },
    { match: { resources: ['pods'] }, request: 'get pod', matches: true },
    { match: { resources: ['pods'] }, request: 'get status', matches: false },
    { match: { resources: ['pods/status'] }, request: 'get status', matches: true },
    { match: { resources: ['pods/*'] }, request: 'get status', matches: true },
    { match: { resources: ['pods/*'] }, request: 'get pod', matches: false },
    { match: { resources: ['*/scale'] }, request: 'get scale', matches: true },
    { match: { resources: ['*/scale'] }, request: 'get status', matches: false },
    { match: { resources: ['*'] }, request: 'get status', matches: true },
    { match: { resources: ['*'] }, request: 'get readyz', matches: false },
    { match: { namespaces: ['shop'] }, request: 'create deployment', matches: true },
    { match: { namespaces: ['shop'] }, request: 'list pods', matches: false },
    { match: { namespaces: [''] }, request: 'list pods', matches: true },
    { match: { names: ['we*'] }, request: 'get pod', matches: true },
    { match: { names: [''] }, request: 'create deployment', matches: true },
    { match: { users: ['system:serviceaccount:*'] }, request: 'get pod', matches: true },
    { match: { users: ['jane'] }, request: 'get pod', matches: false },
    { match: { groups: ['system:masters'] }, request: 'get pod', matches: false },
    { match: { groups: ['system:masters', 'system:serviceaccounts'] }, request: 'get pod', matches: true },
    { match: { userAgents: ['my-operator/*'] }, request: 'get pod', matches: true },
    { match: { userAgents: ['my-operator'] }, request: 'get pod', matches: false },
    { match: { nonResourceURLs: ['/ready*'] }, request: 'get readyz', matches: true },
    { match: { nonResourceURLs: ['/readyz'] }, request: 'get pod', matches: false },
    { match: { nonResourceURLs: ['/readyz'], resources: ['pods'] }, request: 'get pod', matches: true },
    { match: { nonResourceURLs: ['/readyz'], resources: ['pods'] }, request: 'get readyz', matches: true },
  ])('$match, asked about $request: $matches', ({ match, request, matches }) => {
    const [method, path] = requests[request];
    const info = parseRequestInfo(method, path, new Map());
    const groups = ['system:serviceaccounts', 'system:authenticated'];
    const asked = { info, user: 'system:serviceaccount:ops:op', groups, userAgent: 'my-operator/v1 (linux/amd64)' };
    expect(requestPredicate(match)(asked)).toBe(matches);
  });
});
