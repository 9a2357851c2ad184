import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { onDemand } from '../../../runtime/admission/on-demand.ts';
import type { Plugin } from '../../../runtime/admission/plugin.ts';
import type { Attributes } from '../../../runtime/machinery/admission.ts';
import { NotReadyError } from '../../../runtime/resources/lister.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

const demand = { objects: { group: '', version: 'v1', resource: 'configmaps' }, step: 'validate' } as const;

describe('a plugin that is loaded on demand', () => {
  let stores: TestStores;
  let write: Attributes;
  let log: string[];
  beforeAll(async () => {
    stores = await openTestStores();
    write = { definition: (await stores.of('pods')).definition, operation: 'CREATE', name: 'web' } as Attributes;
  });
  afterAll(() => stores.close());
  beforeEach(() => {
    log = [];
  });

  const noting: Plugin = {
    handles: () => true,
    validate: () => void log.push('validates'),
  };

  test('is not loaded before there may be such objects, and once after that', async () => {
    const plugin = onDemand(stores.stores, demand, async () => {
      log.push('loaded');
      return noting;
    });
    await plugin.start?.();
    expect(plugin.validate?.(write)).toBeUndefined();
    expect(log).toEqual([]);
    await stores.of('configmaps');
    await plugin.validate?.(write);
    expect(plugin.validate?.(write)).toBeUndefined();
    expect(log).toEqual(['loaded', 'validates', 'validates']);
  });

  test('refuses writes while it cannot be started, and tries again for each of them', async () => {
    const failures = [new NotReadyError('namespaces are not known yet'), new Error('out of files')];
    const start = async (): Promise<void> => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    const plugin = onDemand(stores.stores, demand, async () => ({ ...noting, start }));
    await plugin.start?.();
    await stores.of('configmaps');
    const refusal = { status: { code: 403, message: 'pods "web" is forbidden: not yet ready to handle request' } };
    await expect(plugin.validate?.(write)).rejects.toMatchObject(refusal);
    await expect(plugin.validate?.(write)).rejects.toThrow('out of files');
    await plugin.validate?.(write);
    expect(log).toEqual(['validates']);
  });
});
