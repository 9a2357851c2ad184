import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { calculateAPIApprovalCondition } from '../../../../../runtime/extensions/crd/controllers/api-approval.ts';

describe('approval of definitions in protected groups', () => {
  const reasonOf = (group: string, annotation?: string) => {
    const annotations = annotation === undefined ? undefined : { 'api-approved.kubernetes.io': annotation };
    const crd = { metadata: { annotations }, spec: { group } } as unknown as CustomResourceDefinition;
    return calculateAPIApprovalCondition(crd)?.reason;
  };
  test.each([
    ['example.com', undefined, undefined],
    ['notk8s.io', undefined, undefined],
    ['k8s.io', undefined, 'MissingAnnotation'],
    ['x.k8s.io', '', 'MissingAnnotation'],
    ['x.kubernetes.io', 'unapproved, for now', 'UnapprovedAnnotation'],
    ['x.k8s.io', 'https://github.com/kubernetes/kubernetes/pull/1', 'ApprovedAnnotation'],
    ['x.k8s.io', 'yes', 'InvalidAnnotation'],
  ])('%s with %j: %s', (group, annotation, reason) => {
    expect(reasonOf(group, annotation)).toBe(reason);
  });
});
