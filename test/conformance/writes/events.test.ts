import { expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';

const server = TestServer.forSuite();

const core = '/api/v1/namespaces/default/events';
const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
const eventTime = '2026-01-02T03:04:05.000000Z';
const series = { count: 2, lastObservedTime: eventTime };

test('an event of the core group gets a series through events.k8s.io, and nothing else changes there', async () => {
  const { http } = server;
  const put = (object: object) => http.send('PUT', `${newer}/Both.1`, JSON.stringify(object), 'application/json');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'Both.1' },
    involvedObject: { kind: 'Node', name: 'n' },
    message: 'm',
    count: 3,
    firstTimestamp: '2026-01-02T03:04:05Z',
    eventTime,
    reportingComponent: 'a.b/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
    type: 'Odd',
  };
  expect(await http.send('POST', core, JSON.stringify(event), 'application/json')).toMatchObject({ status: 201 });
  const { json: read } = await http.get(`${newer}/Both.1`);
  expect((await put({ ...read, series })).json).toMatchObject({ deprecatedCount: 3, note: 'm', series });
  expect((await put({ ...read, metadata: { name: 'Both.1' }, series, note: 'n' })).json).toMatchObject({
    code: 422,
    message: 'Event "Both.1" is invalid: message: Invalid value: "n": field is immutable',
  });
  expect((await http.get(`${core}/Both.1`)).json).toMatchObject({ count: 3, message: 'm', series });
});
