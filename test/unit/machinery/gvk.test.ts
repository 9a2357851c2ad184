import { describe, expect, it } from '@jest/globals';
import { formatGroupVersion, type GroupVersion, isGroupVersion, parseGroupVersion } from '../../../runtime/machinery/gvk.ts';

describe('group-versions', () => {
  it.each([
    ['v1', { group: '', version: 'v1' }],
    ['apps/v1', { group: 'apps', version: 'v1' }],
    ['admissionregistration.k8s.io/v1beta1', { group: 'admissionregistration.k8s.io', version: 'v1beta1' }],
  ])('are written and read as %s', (text, groupVersion) => {
    expect(formatGroupVersion(groupVersion)).toBe(text);
    expect(parseGroupVersion(text)).toEqual(groupVersion);
    expect(isGroupVersion(text, groupVersion)).toBe(true);
  });

  it.each<[unknown, GroupVersion]>([
    ['', { group: '', version: 'v1' }],
    ['/v1', { group: '', version: 'v1' }],
    ['v1', { group: 'apps', version: 'v1' }],
    ['apps/v2', { group: 'apps', version: 'v1' }],
    ['apps.v1', { group: 'apps', version: 'v1' }],
    ['batch/v1', { group: 'apps', version: 'v1' }],
    ['apps/v1/v1', { group: 'apps', version: 'v1' }],
    ['a/v1', { group: 'apps', version: 'v1' }],
    [undefined, { group: 'apps', version: 'v1' }],
    [undefined, { group: '', version: 'v1' }],
    [1, { group: '', version: 'v1' }],
  ])('%p is not the one asked for', (text, groupVersion) => {
    expect(isGroupVersion(text, groupVersion)).toBe(false);
  });
});
