import { describe, expect, test } from '@jest/globals';
import { selectControllers } from '../../../runtime/reconcile/controller-selection.ts';

const ofRequests = ['approving', 'cleaner', 'signing'].map((what) => `certificatesigningrequest-${what}-controller`);
const others = [
  'clusterrole-aggregation-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'volumeattributesclass-protection-controller',
  ...ofRequests,
  'validatingadmissionpolicy-status-controller',
];
const standard = ['garbage-collector-controller', ...others];

describe('--controllers', () => {
  test.each([
    ['nothing', undefined, standard],
    ['*', ['*'], standard],
    ['without one', ['*,-garbage-collector-controller'], others],
    ['one alone', ['namespace-controller'], ['namespace-controller']],
    ['one added', ['*', 'serviceaccount-token-controller'], [...standard, 'serviceaccount-token-controller']],
    ['the first word on a controller decides', ['-namespace-controller', 'namespace-controller'], []],
    [
      'old names',
      ['garbagecollector,root-ca-cert-publisher'],
      ['garbage-collector-controller', 'root-ca-certificate-publisher-controller'],
    ],
    ['an empty list', [''], []],
  ])('%s', (_name, given, want) => {
    const { enabled, unknown } = selectControllers(given);
    expect([...enabled].sort()).toEqual([...want].sort());
    expect(unknown).toEqual([]);
  });

  test('reports unknown names of controllers', () => {
    expect(selectControllers(['*,somebody-controller', '-nobody']).unknown).toEqual(['somebody-controller', '-nobody']);
  });
});
