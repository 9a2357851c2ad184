import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RangeAllocation } from '../../../../../generated/v1.35/core/v1/types.ts';
import { repairNodePortsController } from '../../../../../runtime/controlplane/repair-node-ports-controller.ts';
import { LocalServiceAllocators } from '../../../../../runtime/kinds/core/service/local-allocators.ts';
import { rangeAllocations } from '../../../../../runtime/kinds/core/service/node-port-range.ts';
import { defaultServicesConfig, type PortRange } from '../../../../../runtime/kinds/core/service/services-config.ts';
import type { Logger } from '../../../../../runtime/machinery/logger.ts';
import type { KubeObject } from '../../../../../runtime/machinery/object.ts';
import type { Put } from '../../../../../runtime/server/workers/effects.ts';
import { JobAllocations } from '../../../../../runtime/server/workers/job-allocations.ts';
import { StorageError } from '../../../../../runtime/storage/errors.ts';
import type { Collection } from '../../../../../runtime/storage/object-store/contract.ts';
import { createServiceCIDR, failureOf, openTestStores, type TestResource, type TestStores } from '../../../../support/resource-stores.ts';

const silent = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Logger;
const minute = 60_000;

describe('node ports', () => {
  let stores: TestStores;
  let services: TestResource;
  let ranges: Collection;

  beforeEach(async () => {
    stores = await openTestStores();
    await createServiceCIDR(stores, '10.96.0.0/12');
    services = await stores.of('services');
    ranges = await stores.stores.internalCollection(rangeAllocations);
  });
  afterEach(() => stores.close());

  const create = (name: string, ...nodePorts: number[]) =>
    services.create({
      metadata: { name },
      spec: {
        type: 'NodePort',
        ports: nodePorts.map((nodePort) => ({ name: `p${nodePort}`, port: nodePort, nodePort })),
      },
    });
  const stored = () => ranges.latest().get('', 'servicenodeports')?.decode() as RangeAllocation;
  const dataOf = (...offsets: number[]): string => {
    const number = offsets.reduce((sum, offset) => sum | (1n << BigInt(offset)), 0n).toString(16);
    return Buffer.from(number === '0' ? '' : number.padStart(number.length + (number.length % 2), '0'), 'hex').toString('base64');
  };
  const allocators = (nodePortRange: PortRange = defaultServicesConfig.nodePortRange) =>
    new LocalServiceAllocators({ ...defaultServicesConfig, nodePortRange }, () => stores.stores);
  const dynamic = { port: 0, service: { namespace: 'default', name: 's' }, now: 0, dryRun: false };

  test('are stored as kube-apiserver stores them, from the write of a service until its deletion', async () => {
    await create('a', 30000, 30009);
    expect(stored()).toMatchObject({ kind: 'RangeAllocation', apiVersion: 'v1', range: '30000-32767' });
    expect(stored().data).toBe('AgE=');
    await create('b', 32767);
    expect(stored().data).toBe(dataOf(0, 9, 2767));
    await services.update('a', (service) => {
      service.spec.ports.pop();
    });
    expect(stored().data).toBe(dataOf(0, 2767));
    await services.update('b', (service) => {
      service.spec.type = 'ClusterIP';
    });
    expect(stored().data).toBe(dataOf(0));
    await services.delete('a');
    expect(stored().data).toBe('');
  });

  test('are not allocated by writes that fail, nor by dry runs', async () => {
    await create('a', 30001);
    const failure = await failureOf(create('b', 30002, 30001));
    expect(failure.message).toBe(
      'Service "b" is invalid: spec.ports[1].nodePort: Invalid value: 30001: provided port is already allocated',
    );
    await failureOf(create('a', 30003));
    const asked = { metadata: { name: 'c' }, spec: { type: 'NodePort', ports: [{ port: 1, nodePort: 30004 }] } };
    await services.create(asked, { dryRun: true });
    expect(stored().data).toBe(dataOf(1));
  });

  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };

  test.each([
    ['were not written are given back', false],
    ['were written stay', true],
  ])('of services whose writes nobody knows the outcome of, and which %s', async (_title, isWritten) => {
    const { collection } = services.store;
    const { create: createStored } = collection;
    const addresses = (await stores.of('networking.k8s.io/ipaddresses')).store.collection;
    collection.create = async (object) => {
      if (isWritten) await createStored.call(collection, object);
      throw new StorageError('unknown-outcome', 'the connection broke');
    };
    await expect(create('a', 30005)).rejects.toThrow('the connection broke');
    collection.create = createStored;
    await turns();
    expect(stored().data).toBe(isWritten ? dataOf(5) : '');
    expect([...addresses.latest().scan()]).toHaveLength(isWritten ? 1 : 0);
  });

  test('that a job allocated are given back when its thread ends early, unless a service has them', async () => {
    await create('a', 30007);
    const job = new JobAllocations(allocators(), stores.stores);
    const addresses = (await stores.of('networking.k8s.io/ipaddresses')).store.collection;
    const request = (port: number, name: string) => ({ ...dynamic, port, service: { namespace: 'default', name } });
    await job.allocateNodePort(request(30009, 'b'));
    await job.allocateNodePort({ ...request(30010, 'b'), dryRun: true });
    const address = '10.96.1.1';
    const service = { namespace: 'default', name: 'b' };
    await job.allocateClusterIP({ family: 'IPv4', address, service, now: 0, dryRun: false });
    expect(addresses.latest().get('', address)).toBeDefined();
    await job.allocateNodePort(request(30011, 'a'));
    await services.store.collection.update(
      {
        ...(services.get('a') as KubeObject),
        spec: { ...services.get('a')?.spec, healthCheckNodePort: 30011 },
      } as KubeObject,
      services.store.collection.latest().get('default', 'a')?.revision ?? 0,
    );
    await job.giveBack();
    expect(stored().data).toBe(dataOf(7, 11));
    expect(addresses.latest().get('', address)).toBeUndefined();
    // the thread is ended while its question is answered
    await job.allocateNodePort(request(30012, 'b'));
    expect(stored().data).toBe(dataOf(7, 11));
  });

  test.each([
    ['stay if their service is being stored', 'during', [7, 9]],
    ['are given back before their service could be stored', 'after', [7]],
  ] as const)('that a job allocated %s when its thread ends', async (_name, when, want) => {
    await create('a', 30007);
    const job = new JobAllocations(allocators(), stores.stores);
    const service = { namespace: 'default', name: 'a' };
    await job.allocateNodePort({ ...dynamic, port: 30009, service });
    let store = (): void => undefined;
    const storing = new Promise<void>((resolve) => {
      store = resolve;
    });
    const { put } = job.writesOf({
      async put() {
        await storing;
        const object = { ...services.get('a'), spec: { ...services.get('a')?.spec, healthCheckNodePort: 30009 } } as KubeObject;
        await services.store.collection.update(object, services.store.collection.latest().get('default', 'a')?.revision ?? 0);
        return undefined;
      },
      delete: async () => undefined,
    });
    const write = () => put([], {} as Put);
    const written = when === 'during' ? write() : undefined;
    const ended = job.giveBack();
    store();
    await ended;
    if (when === 'after') await expect(write()).rejects.toThrow('the thread of the job has ended');
    await written;
    expect(stored().data).toBe(dataOf(...want));
  });

  test('that a job released are not given back once more', async () => {
    const job = new JobAllocations(allocators(), stores.stores);
    await job.allocateNodePort({ ...dynamic, port: 30008 });
    await job.releaseNodePorts([30008]);
    await allocators().allocateNodePort({ ...dynamic, port: 30008 });
    await job.giveBack();
    expect(stored().data).toBe(dataOf(8));
  });

  test('are never given twice by servers that share a store', async () => {
    const servers = [allocators(), allocators(), allocators()];
    const given = await Promise.all(Array.from({ length: 96 }, (_, index) => servers[index % 3].allocateNodePort(dynamic)));
    expect(new Set(given).size).toBe(96);
    expect(stored().data).toBe(dataOf(...given.map((port) => Number(port) - 30000)));
  });

  test('run out', async () => {
    const small = allocators({ base: 31000, size: 3 });
    for (let port = 0; port < 3; port++) expect(await small.allocateNodePort(dynamic)).toBeGreaterThanOrEqual(31000);
    expect(await small.allocateNodePort(dynamic)).toEqual({ failure: 'range is full', isFull: true });
    await small.releaseNodePorts([31001, 31001, 5]);
    expect(await small.allocateNodePort(dynamic)).toBe(31001);
  });

  test('of services that are there already count, whatever the range was', async () => {
    await create('a', 30000, 30100);
    await ranges.delete('', 'servicenodeports', ranges.latest().get('', 'servicenodeports')?.revision ?? 0);
    const other = allocators({ base: 30100, size: 10 });
    expect(await other.allocateNodePort({ ...dynamic, port: 30100 })).toEqual({
      failure: 'provided port is already allocated',
    });
    expect(await other.allocateNodePort({ ...dynamic, port: 30101 })).toBe(30101);
    expect(stored()).toMatchObject({ range: '30100-30109', data: dataOf(0, 1) });
  });

  test('are repaired: those of services at once, those of no service when they were seen three times', async () => {
    await create('a', 30000);
    await allocators().allocateNodePort({ ...dynamic, port: 30001 });
    await allocators().releaseNodePorts([30000]);
    expect(stored().data).toBe(dataOf(1));
    const context = { stores: stores.stores, logger: silent };
    const controller = repairNodePortsController(context, defaultServicesConfig.nodePortRange);
    await controller.start();
    const data: string[] = [stored().data];
    for (let round = 0; round < 3; round++) {
      stores.clock.advance(3 * minute);
      await turns();
      data.push(stored().data);
    }
    await controller.close();
    expect(data).toEqual([dataOf(0, 1), dataOf(0, 1), dataOf(0), dataOf(0)]);
  });
});
