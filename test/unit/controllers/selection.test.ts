import { describe, expect, test } from '@jest/globals';
import { selectControllers } from '../../../runtime/controllers/selection.ts';

const standard = ['clusterrole-aggregation-controller', 'garbage-collector-controller', 'namespace-controller'];

describe('--controllers', () => {
  test.each([
    ['nothing', undefined, standard],
    ['*', ['*'], standard],
    [
      'without one',
      ['*,-garbage-collector-controller'],
      ['clusterrole-aggregation-controller', 'namespace-controller'],
    ],
    ['one alone', ['namespace-controller'], ['namespace-controller']],
    ['one added', ['*', 'serviceaccount-controller'], [...standard, 'serviceaccount-controller']],
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
    expect(selectControllers(['*,deployment-controller', '-nobody']).unknown).toEqual([
      'deployment-controller',
      '-nobody',
    ]);
  });
});
