import { expect, test } from '@jest/globals';
import { annotationOf } from '../../../runtime/simulation/pods/behaviour.ts';

const prefix = 'simulation.kubeloom.dev/';

test.each([
  ['nothing', {}, undefined],
  ['one for the pod', { fail: 'OOMKilled' }, 'OOMKilled'],
  ['one for the container', { fail: 'OOMKilled', 'fail.web': 'Error' }, 'Error'],
  ['one for another container', { 'fail.db': 'Error' }, undefined],
  ['an empty one', { fail: '' }, undefined],
  ['an empty one for the container', { fail: 'OOMKilled', 'fail.web': '' }, undefined],
])('annotations say how a container fares: %s', (_name, given, want) => {
  const annotations = Object.fromEntries(Object.entries(given).map(([name, value]) => [prefix + name, value]));
  expect(annotationOf({ metadata: { annotations } }, 'fail', 'web')).toBe(want);
});
