import { describe, expect, test } from '@jest/globals';
import type { AuthorizerAttributes } from '../../../runtime/authorization/authorizer.ts';
import { pathAuthorizer } from '../../../runtime/authorization/path.ts';

const attributes = (path: string, isResourceRequest = false): AuthorizerAttributes => ({
  user: { name: 'jane', uid: '', groups: [], extra: {} },
  verb: 'get',
  isResourceRequest,
  path,
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
});

describe('paths that are always allowed', () => {
  test.each<[readonly string[], string, 'allow' | 'no-opinion']>([
    [['/healthz'], '/healthz', 'allow'],
    [['healthz'], '/healthz', 'allow'],
    [['/healthz'], '/healthz/ping', 'no-opinion'],
    [['/healthz/*'], '/healthz/ping', 'allow'],
    [['/healthz*'], '/healthzz', 'allow'],
    [['/healthz/*'], '/healthz', 'no-opinion'],
    [['/'], '/', 'allow'],
    [['/'], '/version', 'no-opinion'],
    [['*'], '/version', 'allow'],
    [[], '/', 'no-opinion'],
  ])('of %j, %s is %s', (paths, path, decision) => {
    expect(pathAuthorizer(paths).authorize(attributes(path))).toMatchObject({ decision });
  });

  test('are never resources', () => {
    expect(pathAuthorizer(['*']).authorize(attributes('/api/v1/nodes', true))).toMatchObject({
      decision: 'no-opinion',
    });
  });

  test('have no * but at the end', () => {
    expect(() => pathAuthorizer(['/a*b'])).toThrow('only trailing * allowed in "a*b"');
  });
});
