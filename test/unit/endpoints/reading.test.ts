import { beforeAll, describe, expect, test } from '@jest/globals';
import { quietNamespaces } from '../../support/quiet-namespaces.ts';
import { TestServer } from '../../support/test-server.ts';

const maps = '/api/v1/namespaces/reading/configmaps';
const revisions: string[] = [];
const suite = TestServer.forSuite(quietNamespaces);

beforeAll(async () => {
  await suite.http.send('POST', '/api/v1/namespaces', '{"metadata":{"name":"reading"}}', 'application/json');
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const body = { metadata: { name, labels: { odd: String('ace'.includes(name)) } }, data: { name } };
    const { json } = await suite.http.send('POST', maps, JSON.stringify(body), 'application/json');
    revisions.push(json.metadata.resourceVersion);
  }
});

const names = (json: { items: { metadata: { name: string } }[] }) => json.items.map(({ metadata }) => metadata.name);

describe('a list at a version', () => {
  const [all, two] = [
    ['a', 'b', 'c', 'd', 'e'],
    ['a', 'b'],
  ];
  test.each([
    ['no parameters', '', 200, all],
    ['any', 'resourceVersion=0', 200, all],
    ['not older than one', 'resourceVersion=$1', 200, all],
    ['a limit at a version is exact', 'resourceVersion=$1&limit=10', 200, two],
    ['a limit at any version', 'resourceVersion=0&limit=10', 200, all],
    ['exactly one', 'resourceVersion=$1&resourceVersionMatch=Exact', 200, two],
    ['exactly one, with a limit', 'resourceVersion=$1&resourceVersionMatch=Exact&limit=1', 200, ['a']],
    ['NotOlderThan', 'resourceVersion=$1&resourceVersionMatch=NotOlderThan', 200, all],
    ['NotOlderThan any', 'resourceVersion=0&resourceVersionMatch=NotOlderThan', 200, all],
    ['NotOlderThan, with a limit', 'resourceVersion=$1&resourceVersionMatch=NotOlderThan&limit=10', 200, all],
    ['Exact without a version', 'resourceVersionMatch=Exact', 422, undefined],
    ['Exact at any', 'resourceVersion=0&resourceVersionMatch=Exact', 422, undefined],
    ['NotOlderThan without a version', 'resourceVersionMatch=NotOlderThan', 422, undefined],
    ['an unknown match', 'resourceVersion=$1&resourceVersionMatch=Nearly', 422, undefined],
    ['an invalid version', 'resourceVersion=x', 400, undefined],
  ])('%s', async (_name, query, status, want) => {
    const response = await suite.http.get(`${maps}?${query.replace('$1', revisions[1])}`);
    expect(response.status).toBe(status);
    if (want) expect(names(response.json)).toEqual(want);
  });

  test('waits for a version from the future, which then is too large', async () => {
    const response = await suite.http.get(`${maps}?resourceVersion=${Number(revisions[4]) + 1000}`);
    expect(response.status).toBe(504);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.json.message).toMatch(/^Timeout: Too large resource version: \d+, current: \d+$/);
    expect(response.json.details.causes).toEqual([{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]);
  });
});

describe('pages', () => {
  test('are one snapshot while objects are written', async () => {
    const first = await suite.http.get(`${maps}?limit=2`);
    expect(names(first.json)).toEqual(['a', 'b']);
    expect(first.json.metadata.remainingItemCount).toBe(3);
    await suite.http.send('POST', maps, '{"metadata":{"name":"bb"}}', 'application/json');
    await suite.http.send('DELETE', `${maps}/bb`);
    const second = await suite.http.get(`${maps}?limit=2&continue=${first.json.metadata.continue}`);
    expect(names(second.json)).toEqual(['c', 'd']);
    expect(second.json.metadata.resourceVersion).toBe(first.json.metadata.resourceVersion);
    const third = await suite.http.get(`${maps}?limit=2&continue=${second.json.metadata.continue}`);
    expect(names(third.json)).toEqual(['e']);
    expect(third.json.metadata).toEqual({ resourceVersion: first.json.metadata.resourceVersion });
  });

  test('of a selection have no remaining count', async () => {
    const first = await suite.http.get(`${maps}?limit=2&labelSelector=odd%3Dtrue`);
    expect(names(first.json)).toEqual(['a', 'c']);
    expect(first.json.metadata.remainingItemCount).toBeUndefined();
    const rest = await suite.http.get(`${maps}?limit=2&labelSelector=odd%3Dtrue&continue=${first.json.metadata.continue}`);
    expect(names(rest.json)).toEqual(['e']);
  });

  test.each([
    ['an invalid token', 'continue=xyz', 400],
    ['a version beside the token', 'continue=$token&resourceVersion=5', 400],
    ['a match beside the token', 'continue=$token&resourceVersion=0&resourceVersionMatch=NotOlderThan', 422],
  ])('%s is rejected', async (_name, query, status) => {
    const token = (await suite.http.get(`${maps}?limit=1`)).json.metadata.continue;
    expect((await suite.http.get(`${maps}?limit=1&${query.replace('$token', token)}`)).status).toBe(status);
  });

  test('of compacted history end with a token that continues without it', async () => {
    const token = (await suite.http.get(`${maps}?limit=2`)).json.metadata.continue;
    await suite.http.send('POST', maps, '{"metadata":{"name":"z"}}', 'application/json');
    await suite.server.compact();
    const gone = await suite.http.get(`${maps}?limit=2&continue=${token}`);
    expect(gone).toMatchObject({ status: 410, json: { reason: 'Expired' } });
    const next = await suite.http.get(`${maps}?continue=${gone.json.metadata.continue}`);
    expect(names(next.json)).toEqual(['c', 'd', 'e', 'z']);
  });
});

describe('one object in each encoding', () => {
  test('is PartialObjectMetadata', async () => {
    const { json } = await suite.http.get(`${maps}/a`, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
    });
    expect(json).toMatchObject({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a' },
    });
    expect(json).not.toHaveProperty('data');
  });

  test.each([
    ['', 'PartialObjectMetadata'],
    ['None', undefined],
    ['Object', 'ConfigMap'],
  ])('is a table with includeObject=%s', async (include, kind) => {
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const { json } = await suite.http.get(`${maps}?includeObject=${include}`, { headers: { accept } });
    expect(json.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Data', 'Age']);
    expect(json.rows[0].cells.slice(0, 2)).toEqual(['a', 1]);
    expect(json.rows[0].object?.kind).toBe(kind);
  });

  test('cannot be requested by HEAD', async () => {
    const response = await suite.http.send('HEAD', `${maps}/a`);
    expect(response).toMatchObject({ status: 405, body: Buffer.alloc(0) });
  });
});
