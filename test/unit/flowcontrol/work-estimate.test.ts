import { describe, expect, test } from '@jest/globals';
import { FlowSchemaMetrics } from '../../../runtime/flowcontrol/metrics/flow-schema-metrics.ts';
import type { RequestInfo, RequestQuery } from '../../../runtime/flowcontrol/request-info.ts';
import { estimateListSeats, type ResourceSize } from '../../../runtime/flowcontrol/work-estimate/list-work-estimator.ts';
import { WatchTracker } from '../../../runtime/flowcontrol/work-estimate/watch-tracker.ts';
import { WorkEstimator } from '../../../runtime/flowcontrol/work-estimate/work-estimator.ts';
import { requestInfo } from './queue-set-fixture.ts';

const queryOf = (text: string): RequestQuery => new Map([...new URLSearchParams(text)].map(([name, value]) => [name, [value]]));
const list: RequestInfo = { ...requestInfo, verb: 'list', name: '' };
const watch: RequestInfo = { ...list, verb: 'watch' };
const small: ResourceSize = { objects: 10, averageBytes: 2_000 };
const many: ResourceSize = { objects: 5_000, averageBytes: 3_000 };

describe('seats of a list', () => {
  test.each<[string, RequestInfo, string, ResourceSize | undefined, number | undefined, number]>([
    ['of few objects', list, '', small, undefined, 1],
    ['of no objects', list, '', { objects: 0, averageBytes: 0 }, undefined, 1],
    ['of an unknown size', list, '', undefined, undefined, 1],
    ['from the cache: one for each streamed chunk', list, '', many, undefined, 10],
    ['from the cache, at most the seats of the level', list, '', many, 4, 4],
    ['of a page from the cache', list, 'limit=100', many, undefined, 3],
    ['of one name', { ...list, name: 'x' }, 'fieldSelector=metadata.name%3Dx', many, undefined, 1],
    ['of an exact version: all at once', list, 'resourceVersion=5&resourceVersionMatch=Exact', many, undefined, 100],
    ['of a page of an exact version', list, 'resourceVersion=5&resourceVersionMatch=Exact&limit=100', many, undefined, 3],
    ['of the pages after the first', list, 'continue=x&limit=100', many, undefined, 3],
    ['of such pages with a selector: half of all', list, 'continue=x&limit=100&labelSelector=a', many, undefined, 75],
    ['not older than a version', list, 'resourceVersion=5&resourceVersionMatch=NotOlderThan&limit=100', many, undefined, 3],
    ['with another match', list, 'resourceVersionMatch=Odd', many, undefined, 100],
    ['with an invalid limit', list, 'limit=x', many, undefined, 100],
    ['of objects whose size is not known', list, 'resourceVersionMatch=Exact', { objects: 2, averageBytes: 0 }, undefined, 30],
    ['as the initial events of a watch', watch, '', many, undefined, 10],
    ['as the initial events of a watch from any version', watch, 'resourceVersion=0', many, undefined, 10],
    ['for a watch without initial events', watch, 'resourceVersion=7', many, undefined, 1],
    ['as initial events that a watch requests', watch, 'resourceVersion=7&sendInitialEvents=true', many, undefined, 10],
  ])('%s', (_, request, query, size, most, seats) => {
    expect(estimateListSeats(request, queryOf(query), size, most)).toBe(seats);
  });
});

describe('the cost of a write', () => {
  const write: RequestInfo = { ...requestInfo, verb: 'update' };

  function estimate(request: RequestInfo, watchers: number, maxSeats?: number): unknown {
    const watches = new WatchTracker();
    for (let at = 0; at < watchers; at++) watches.registerWatch({ ...watch, namespace: '' }, new Map());
    const estimator = new WorkEstimator({ sizeOf: () => undefined, watches });
    return estimator.estimate(request, new Map(), maxSeats, new FlowSchemaMetrics('level', 'schema'));
  }

  test.each([
    ['with few watchers', 9, undefined, { initialSeats: 1, finalSeats: 0, additionalLatency: 0 }],
    ['with ten', 10, undefined, { initialSeats: 1, finalSeats: 1, additionalLatency: 5 }],
    ['with many', 85, undefined, { initialSeats: 1, finalSeats: 9, additionalLatency: 5 }],
    ['with more than seats: longer', 200, undefined, { initialSeats: 1, finalSeats: 10, additionalLatency: 10 }],
    ['at a level with few seats: even longer', 200, 4, { initialSeats: 1, finalSeats: 4, additionalLatency: 25 }],
  ])('%s', (_, watchers, maxSeats, work) => {
    expect(estimate(write, watchers, maxSeats)).toEqual(work);
  });

  test.each([
    ['reads', requestInfo],
    ['deleting a collection', { ...requestInfo, verb: 'deletecollection', name: '' }],
    ['tokens', { ...write, verb: 'create', resource: 'serviceaccounts', subresource: 'token' }],
    ['paths', { ...write, isResourceRequest: false }],
  ])('is only its seat, for %s', (_, request) => {
    expect(estimate(request, 100)).toEqual({ initialSeats: 1, finalSeats: 0, additionalLatency: 0 });
  });

  test('watchers are counted by the objects they watch, until they end', () => {
    const watches = new WatchTracker();
    const forget = [
      watches.registerWatch({ ...watch, namespace: '' }, new Map()),
      watches.registerWatch(watch, new Map()),
      watches.registerWatch({ ...watch, name: 'p' }, new Map()),
      watches.registerWatch({ ...watch, name: 'other' }, new Map()),
      watches.registerWatch({ ...watch, namespace: 'elsewhere' }, new Map()),
      watches.registerWatch({ ...watch, resource: 'services' }, new Map()),
    ];
    expect(watches.interestedWatchCount(write)).toBe(3);
    for (const stop of forget) stop();
    forget[0]();
    expect(watches.interestedWatchCount(write)).toBe(0);
  });

  test('watches of the pods of one node do not count for other nodes', () => {
    const watches = new WatchTracker();
    watches.registerWatch(watch, queryOf('fieldSelector=spec.nodeName%3Dn1'));
    watches.registerWatch(watch, queryOf('fieldSelector=spec.nodeName%3D'));
    watches.registerWatch(watch, queryOf('fieldSelector=status.phase%3DRunning'));
    expect(watches.interestedWatchCount(write)).toBe(2);
  });
});
