import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningServer, startServer } from '../../runtime/index.ts';
import type { Catalog } from '../../runtime/machinery/catalog.ts';
import { HttpClient } from '../support/http-client.ts';
import { Kubectl, testKubectl } from '../support/kubectl.ts';
import { everyVersionOf, generateReleases, releaseFolder, releases } from '../support/releases.ts';

const servers = new Map<string, RunningServer>();
const serverOf = (release: string): RunningServer => servers.get(release) as RunningServer;

beforeAll(async () => {
  await generateReleases();
  for (const release of releases) {
    servers.set(release, await startServer({ ...everyVersionOf(release), kubernetes: release.slice(1) }));
  }
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

const catalogOf = async (release: string): Promise<Catalog> =>
  (await import(pathToFileURL(join(releaseFolder(release), 'catalog.ts')).href)).catalog;

describe.each(releases)('%s, beside the others in one process', (release) => {
  let http: HttpClient;
  beforeAll(() => {
    http = HttpClient.for(serverOf(release));
  });
  afterAll(() => http?.close());

  test('has its number in /version', async () => {
    const { major, minor, gitVersion } = (await http.get('/version')).json;
    expect(`v${major}.${minor}`).toBe(release);
    expect([gitVersion, serverOf(release).version]).toEqual(Array(2).fill(expect.stringContaining(`${release}.0+`)));
  });

  test('serves the group-versions of its documents', async () => {
    const { groupVersions } = await catalogOf(release);
    const wanted = groupVersions.flatMap(({ group, version }) => (group === '' ? [] : [`${group}/${version}`]));
    const { groups } = (await http.get('/apis')).json as { groups: { versions: { groupVersion: string }[] }[] };
    const discovered = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
    expect(discovered.sort()).toEqual(wanted.sort());
    const { paths } = (await http.get('/openapi/v3')).json as { paths: object };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(wanted.map((name) => `apis/${name}`)));
  });

  test('writes large objects on a thread, which has the same release', async () => {
    const data = { text: 'x'.repeat(100_000) };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data };
    const path = '/api/v1/namespaces/default/configmaps';
    const made = await http.send('POST', path, JSON.stringify(object), 'application/json');
    expect([made.status, made.json.data]).toEqual([201, data]);
  });

  test('its client is one of the server', async () => {
    const file = pathToFileURL(join(releaseFolder(release), 'client.ts')).href;
    const { createClient }: typeof import('../../generated/v1.35/client.ts') = await import(file);
    const client = await serverOf(release).client(createClient);
    const { items } = await client.core.v1.namespaces.list();
    expect(items.map(({ metadata }) => metadata?.name)).toContain('kube-system');
  });

  testKubectl('kubectl lists, creates, scales and explains', async () => {
    const kubectl = await Kubectl.for(serverOf(release).kubeconfig, release === 'v1.32' ? '1.32' : '1.35');
    try {
      const rows = (await kubectl.ok(['api-resources', '--no-headers'])).trim().split('\n');
      const served = (await catalogOf(release)).groupVersions.flatMap(({ resources }) => resources);
      expect(rows).toHaveLength(new Set(served.map(({ group, resource }) => `${resource}.${group}`)).size);
      const made = await kubectl.ok(['create', 'deployment', 'web', '--image=i', '--replicas=2']);
      expect(made).toBe('deployment.apps/web created\n');
      expect(await kubectl.ok(['scale', 'deployment', 'web', '--replicas=3'])).toBe('deployment.apps/web scaled\n');
      expect(await kubectl.ok(['get', 'deploy', '--no-headers'])).toMatch(/^web +0\/3 +0 +0 +\d+[ms]/);
      expect(await kubectl.ok(['explain', 'deployment.spec.replicas'])).toContain('FIELD: replicas <integer>');
    } finally {
      await kubectl.close();
    }
  });
});

test('another version is refused, with those that there are', async () => {
  const known = releases.map((release) => release.slice(1)).join(', ');
  await expect(startServer({ kubernetes: '1.29' })).rejects.toThrow(
    new RegExp(`^--kubernetes-version: "1\\.29" is not one of ${known.replaceAll('.', '\\.')}$`),
  );
});

test('a store on disk is refused by another release, and opened again by its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubeloom-releases-'));
  const start = (kubernetes: string) => startServer({ kubernetes, storage: 'lmdb', dataDir: folder, certDir: join(folder, 'certs') });
  try {
    const [oldest, newest] = [releases[0], releases[releases.length - 1]].map((release) => release.slice(1));
    await (await start(oldest)).close();
    await expect(start(newest)).rejects.toThrow(`has objects of Kubernetes v${oldest}`);
    const again = await start(oldest);
    expect(again.version).toContain(`v${oldest}.`);
    await again.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
