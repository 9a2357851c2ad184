import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RangeAllocation } from '../../../../../generated/v1.35/core/v1/types.ts';
import { RepairNodePortsController } from '../../../../../runtime/controllers/control-plane/repair-node-ports-controller.ts';
import { LocalServiceAllocators } from '../../../../../runtime/kinds/core/service/local-allocators.ts';
import { rangeAllocations } from '../../../../../runtime/kinds/core/service/node-port-range.ts';
import { defaultServicesConfig, type PortRange } from '../../../../../runtime/kinds/core/service/services-config.ts';
import type { Logger } from '../../../../../runtime/observe/logger.ts';
import { StorageError } from '../../../../../runtime/storage/errors.ts';
import type { Collection } from '../../../../../runtime/storage/object-store/contract.ts';
import {
  createServiceCIDR,
  failureOf,
  openTestStores,
  type TestResource,
  type TestStores,
} from '../../../../support/resource-stores.ts';

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
    ranges = await stores.stores.unserved(rangeAllocations);
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
    return Buffer.from(number === '0' ? '' : number.padStart(number.length + (number.length % 2), '0'), 'hex').toString(
      'base64',
    );
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

  test('stay allocated when nobody knows whether the service was written', async () => {
    const { collection } = services.store;
    const { create: createStored } = collection;
    collection.create = () => Promise.reject(new StorageError('unknown-outcome', 'the connection broke'));
    await expect(create('a', 30005)).rejects.toThrow('the connection broke');
    collection.create = createStored;
    expect(stored().data).toBe(dataOf(5));
  });

  test('are never given twice by servers that share a store', async () => {
    const servers = [allocators(), allocators(), allocators()];
    const given = await Promise.all(
      Array.from({ length: 96 }, (_, index) => servers[index % 3].allocateNodePort(dynamic)),
    );
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
    const controller = new RepairNodePortsController(context, defaultServicesConfig.nodePortRange);
    await controller.start();
    const data: string[] = [stored().data];
    for (let round = 0; round < 3; round++) {
      stores.clock.advance(3 * minute);
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      data.push(stored().data);
    }
    await controller.close();
    expect(data).toEqual([dataOf(0, 1), dataOf(0, 1), dataOf(0), dataOf(0)]);
  });
});
