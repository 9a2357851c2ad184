import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { writerOfController } from '../../../runtime/reconcile/controller-writer.ts';
import { loopbackWriter } from '../../../runtime/resources/loopback-writer.ts';
import type { Writer } from '../../../runtime/resources/rest.ts';
import { openTestStores, type TestResource, type TestStores } from '../../support/resource-stores.ts';

const lost = new Error('this server is no longer the leader');

const leadership = { isLeading: true };
let stores: TestStores;
let configMaps: TestResource;

beforeEach(async () => {
  leadership.isLeading = true;
  stores = await openTestStores({}, undefined, { leadership });
  configMaps = await stores.of('configmaps');
  await configMaps.create({ metadata: { name: 'a', finalizers: ['example.com/kept'] } });
  await configMaps.create({ metadata: { name: 'b' } });
});

afterEach(() => stores.close());

/** Starts every kind of write by the writer. `pause` runs in the middle of the update. */
function writesOf(writer: Writer, pause: () => void = () => undefined): readonly Promise<unknown>[] {
  const { store, definition } = configMaps;
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c' } };
  const key = { namespace: 'default', part: 'main', requireVersion: false } as const;
  const change = (current: object | undefined) => {
    pause();
    return { ...current, data: { a: '1' }, metadata: { name: 'a' } };
  };
  return [
    store.update(definition, { ...key, name: 'a', change }, writer),
    store.create(definition, object, 'default', writer),
    store.delete(definition, { namespace: 'default', name: 'a' }, writer),
    store.delete(definition, { namespace: 'default', name: 'b' }, writer),
  ];
}

it('lets controllers write on the server that leads', async () => {
  await Promise.all(writesOf(writerOfController('namespace-controller')));
});

it('stores no write of a controller on a server that does not lead', async () => {
  const before = stores.stores.revision();
  leadership.isLeading = false;
  for (const write of writesOf(writerOfController('namespace-controller'))) await expect(write).rejects.toEqual(lost);
  expect(stores.stores.revision()).toBe(before);
});

it('stores no write of a controller that was under way when the server ceased to lead', async () => {
  const [update, ...others] = writesOf(writerOfController('namespace-controller'), () => {
    leadership.isLeading = false;
  });
  await Promise.allSettled(others);
  await expect(update).rejects.toEqual(lost);
  expect(configMaps.get('a')?.data).toBeUndefined();
});

it('lets every server write what is its own', async () => {
  leadership.isLeading = false;
  await Promise.all(writesOf(loopbackWriter('kube-apiserver')));
});
