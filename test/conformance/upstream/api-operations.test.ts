import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectFixture } from '../../support/object-fixture.ts';
import { patchTypes } from '../../support/write-fixture.ts';
import { type Any, kinds } from './kinds.ts';

/** Upstream's conformance tests that a kind supports all verbs, with their titles. */
describe('operations', () => {
  let fixture: ObjectFixture;

  beforeAll(async () => {
    // controllers that would change objects between the steps
    const writers = [
      'resourcequota-controller',
      'root-ca-certificate-publisher-controller',
      'service-cidr-controller',
      'serviceaccount-controller',
      'validatingadmissionpolicy-status-controller',
    ];
    const controllers = ['*', ...writers.map((name) => `-${name}`)];
    fixture = await ObjectFixture.open('memory', { runtimeConfig: ['api/all=true'], controllers });
  });
  afterAll(() => fixture.close());

  const send = (method: string, path: string, body?: object, type = 'application/json') =>
    fixture.client.send(method, path, body && JSON.stringify(body), body && type);
  const good = async (response: ReturnType<typeof send>): Promise<Any> => {
    const { status, body, json } = await response;
    if (status > 202) throw new Error(`${status} ${body}`);
    return json;
  };

  test.each(kinds.map((of) => [of.title, of] as const))('%s', async (_title, of) => {
    const { apiVersion, kind, resource, name = (n: number) => `ops-${n}` } = of;
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;

    if (apiVersion !== 'v1') {
      const [group, version] = apiVersion.split('/');
      const found = (await fixture.get('/apis')).json.groups.find((one: Any) => one.name === group);
      expect(found.versions).toContainEqual({ groupVersion: apiVersion, version });
      expect((await fixture.get(`/apis/${group}`)).json.versions).toContainEqual({ groupVersion: apiVersion, version });
    }
    const listed = (await fixture.get(root)).json.resources.map((one: Any) => `${one.name} ${one.kind}`);
    expect(listed).toContain(`${resource} ${kind}`);

    const path = of.clusterWide ? `${root}/${resource}` : await fixture.fresh(root, resource);
    const body = JSON.parse(JSON.stringify(of.body).replaceAll('NAMESPACE', path.split('/').at(-2) as string));
    const object = (n: number): Any => ({
      apiVersion,
      kind,
      metadata: { name: name(n), labels: { ops: kind } },
      ...body,
    });
    const made = await good(send('POST', path, object(0)));
    await good(send('POST', path, object(1)));
    await good(send('POST', path, object(2)));
    expect(await good(send('GET', `${path}/${name(0)}`))).toEqual(made);

    const mine = { labelSelector: `ops=${kind}` };
    const list = (await fixture.get(path, mine)).json;
    expect([list.kind, list.items.length]).toEqual([`${kind}List`, 3]);
    if (!of.clusterWide) expect((await fixture.get(`${root}/${resource}`, mine)).json.items).toHaveLength(3);
    const watch = await fixture.watch(path, { ...mine, resourceVersion: list.metadata.resourceVersion });

    const annotations = { patched: 'true' };
    const patch = { metadata: { annotations }, ...of.patch };
    const patched = await good(send('PATCH', `${path}/${name(0)}`, patch, patchTypes.merge));
    expect(patched).toMatchObject({ metadata: { annotations } });
    if (of.patch !== undefined) expect({ ...patched, metadata: {} }).not.toEqual({ ...made, metadata: {} });
    patched.metadata.annotations.updated = 'true';
    const updated = await good(send('PUT', `${path}/${name(0)}`, patched));
    expect(updated.metadata.annotations).toEqual({ patched: 'true', updated: 'true' });

    if (of.status !== undefined) {
      const at = `${path}/${name(0)}/status`;
      const now = await good(send('PATCH', at, { status: of.status }, patchTypes.merge));
      expect(now.status).toMatchObject(of.status);
      expect(await good(send('GET', at))).toEqual(now);
      now.metadata.annotations.status = 'true';
      await good(send('PUT', at, now));
    }

    const changes = [];
    while (changes.at(-1)?.object.metadata.annotations?.updated === undefined) changes.push((await watch.take(1))[0]);
    expect(new Set(changes.map((event) => event?.type))).toEqual(new Set(['MODIFIED']));

    await good(send('DELETE', `${path}/${name(0)}`));
    await gone(`${path}/${name(0)}`);
    const { items } = (await fixture.get(path, mine)).json;
    expect(items.map(({ metadata }: Any) => metadata.name)).toEqual([name(1), name(2)]);
    await good(send('DELETE', `${path}?labelSelector=ops%3D${kind}`));
    for (const n of [1, 2]) await gone(`${path}/${name(n)}`);
    const removed = new Set<string>();
    while (removed.size < 3) {
      const [event] = await watch.take(1);
      if (event?.type === 'DELETED') removed.add(event.object.metadata.name);
    }
    watch.close();
  });

  /** Removes the finalizers of protected kinds, because no controller runs. */
  async function gone(path: string): Promise<void> {
    const { status } = await fixture.get(path);
    if (status === 404) return;
    await good(send('PATCH', path, { metadata: { finalizers: null } }, patchTypes.merge));
    expect((await fixture.get(path)).status).toBe(404);
  }
});
