import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Cluster, type UseServerOptions, useServer } from '../../../runtime/frameworks/use-server.ts';

const hooks = { beforeAll, beforeEach, afterAll };
const urls: Record<string, string> = {};

async function create({ client }: Cluster, name: string): Promise<void> {
  await client.core.v1.configmaps.namespace('default').create({ metadata: { name } });
}

async function names({ client }: Cluster): Promise<readonly (string | undefined)[]> {
  const { items } = await client.core.v1.configmaps.namespace('default').list();
  return items.map(({ metadata }) => metadata.name).filter((name) => !name?.endsWith('.crt'));
}

/** Returns new options for each file: equal, but not identical. */
const options = (): UseServerOptions => ({
  runtimeConfig: ['api/alpha=false'],
  disableAdmissionPlugins: ['ServiceAccount'],
});

describe('with isolation reset', () => {
  const cluster = useServer(hooks, options());
  beforeAll(() => create(cluster, 'of-the-file'));
  afterAll(() => {
    urls.first = cluster.server.url;
  });

  test.each(['one', 'another'])('%s test finds what beforeAll made, and nothing of other tests', async (name) => {
    expect(cluster.requests()).toEqual([]);
    await create(cluster, `made-by-${name}`);
    expect(await names(cluster)).toEqual([`made-by-${name}`, 'of-the-file']);
    expect(cluster.requests().map(({ verb }) => verb)).toEqual(['create', 'list']);
    expect(cluster.requests({ verb: 'list', since: 1 })).toHaveLength(1);
  });

  test('the administrator has a kubeconfig', () => {
    expect(cluster.kubeconfig).toContain(cluster.server.url);
  });
});

describe('the next file of a worker', () => {
  const cluster = useServer(hooks, options());
  const other = useServer(hooks, { ...options(), runtimeConfig: [] });

  test('has the same server if its options are equal, without the objects of the last one', async () => {
    expect(cluster.server.url).toBe(urls.first);
    expect(await names(cluster)).toEqual([]);
  });

  test('has another server if they are not', () => {
    expect(other.server.url).not.toBe(urls.first);
  });
});

describe('with isolation fork', () => {
  const cluster = useServer(hooks, { ...options(), isolation: 'fork' });
  const seen = new Set<string>();
  beforeAll(() => create(cluster, 'of-the-file'));

  test.each(['one', 'another'])('%s test has a server of its own with what beforeAll made', async (name) => {
    expect(cluster.requests()).toEqual([]);
    await create(cluster, `made-by-${name}`);
    expect(await names(cluster)).toEqual([`made-by-${name}`, 'of-the-file']);
    expect(seen).not.toContain(cluster.server.url);
    seen.add(cluster.server.url);
    expect(seen).not.toContain(urls.first);
  });
});

describe('with isolation none', () => {
  const cluster = useServer(hooks, { ...options(), isolation: 'none', testControls: false });

  test('there is a server of its own', async () => {
    expect(cluster.server.url).not.toBe(urls.first);
    await create(cluster, 'shared');
  });

  test('tests share what they write', async () => {
    expect(await names(cluster)).toEqual(['shared']);
    expect(() => cluster.requests()).toThrow('testControls or requestLog');
  });
});

describe('a mistake', () => {
  let given: Cluster;
  afterEach(() => {
    expect(() => given.client).toThrow('the server is there from the first beforeAll on');
  });

  test('says what to do', () => {
    const silent = { beforeAll: () => {}, beforeEach: () => {}, afterAll: () => {} };
    given = useServer(silent);
    expect(() => given.server).toThrow('the server is there from the first beforeAll on');
    expect(() => useServer(silent, { isolation: 'some' as 'none' })).toThrow('option "isolation": ');
  });
});
