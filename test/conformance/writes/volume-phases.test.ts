import { expect, test } from '@jest/globals';
import { TestServer } from '../../support/test-server.ts';

const server = TestServer.forSuite();
const path = '/api/v1/persistentvolumes';

test('a volume has the time of its phase, from its creation on', async () => {
  const volume = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'a' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, nfs: { server: 's', path: '/' } },
  };
  const { json: created } = await server.http.send('POST', path, JSON.stringify(volume), 'application/json');
  expect(created.status).toEqual({ phase: 'Pending', lastPhaseTransitionTime: created.metadata.creationTimestamp });

  const long = { ...created.status, lastPhaseTransitionTime: '2020-01-01T00:00:00Z' };
  const replace = async (status: object) => {
    const body = JSON.stringify({ ...volume, status });
    return (await server.http.send('PUT', `${path}/a/status`, body, 'application/json')).json.status;
  };
  expect(await replace(long)).toEqual(long);
  const bound = await replace({ ...long, phase: 'Bound' });
  expect(bound.phase).toBe('Bound');
  expect(Date.parse(bound.lastPhaseTransitionTime)).toBeGreaterThanOrEqual(Date.parse(created.metadata.creationTimestamp));
});
