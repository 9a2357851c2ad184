import { describe, expect, test } from '@jest/globals';
import { describeUserInfo, parseImpersonation } from '../../../runtime/filters/impersonation-headers.ts';

type Headers = readonly [name: string, value: string][];

describe('impersonation', () => {
  test.each<[string, Headers, string]>([
    ['a group', [['Impersonate-Group', 'people']], '{Group  people    }'],
    [
      'groups',
      [
        ['Impersonate-User', ''],
        ['Impersonate-Group', 'a'],
        ['impersonate-group', 'b'],
      ],
      '{Group  a    } {Group  b    }',
    ],
    ['a UID', [['Impersonate-Uid', '7']], '{UID  7  authentication.k8s.io/v1  }'],
    ['an extra', [['Impersonate-Extra-Example.com%2fScopes', 'view']], '{UserExtra  view  authentication.k8s.io/v1  example.com/scopes}'],
  ])('of %s without a user is rejected in upstream’s words', (_, headers, asked) => {
    expect(() => parseImpersonation(headers.flat())).toThrow(`requested [${asked}] without impersonating a user`);
  });

  test.each<[string, Headers, string]>([
    [
      'groups',
      [
        ['Impersonate-Group', 'a"b'],
        ['Impersonate-Group', ''],
      ],
      'UID:"", Groups:[]string{"a\\"b", ""}, Extra:map[string][]string(nil)',
    ],
    ['a UID', [['Impersonate-Uid', '7']], 'UID:"7", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    [
      'extras',
      [
        ['Impersonate-Extra-B', '2'],
        ['Impersonate-Extra-A', '1'],
        ['Impersonate-Extra-B', '3'],
      ],
      'UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"1"}, "b":[]string{"2", "3"}}',
    ],
  ])('of %s without a user is described as Go prints it where impersonation is constrained', (_, headers, asked) => {
    expect(() => parseImpersonation(headers.flat(), describeUserInfo)).toThrow(
      `requested &user.DefaultInfo{Name:"", ${asked}} without impersonating a user name`,
    );
  });

  test.each([
    ['system:serviceaccount:ns:builder', 'serviceaccounts ns/builder'],
    ['system:serviceaccount:NS:builder', 'users /system:serviceaccount:NS:builder'],
    ['system:serviceaccount:ns:a_b', 'users /system:serviceaccount:ns:a_b'],
    ['system:serviceaccount:ns:', 'users /system:serviceaccount:ns:'],
    ['system:serviceaccount:ns:a:b', 'users /system:serviceaccount:ns:a:b'],
  ])('of %s needs permission for %s', (user, attribute) => {
    const { attributes } = parseImpersonation(['Impersonate-User', user]) ?? { attributes: [] };
    expect(attributes.map(({ resource, namespace, name }) => `${resource} ${namespace}/${name}`)).toEqual([attribute]);
  });
});
