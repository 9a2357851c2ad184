import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ControllerContext } from '../../../runtime/controllers/controller-context.ts';
import { startControllers } from '../../../runtime/controllers/start-controllers.ts';
import { wakeRules } from '../../../runtime/controllers/wake-rules.ts';
import { silentLogger } from '../../../runtime/machinery/logger.ts';
import type { ControllerName } from '../../../runtime/reconcile/controller-selection.ts';
import { CachedCollection } from '../../../runtime/storage/object-store/collection.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

/* A fork's controller sleeps until a write to a resource that it watches. */

/**
 * Controllers without watches at their start. The cleaner lists at intervals; the other one waits for the first policy.
 */
const watchesLater: ReadonlySet<string> = new Set([
  'certificatesigningrequest-cleaner-controller',
  'validatingadmissionpolicy-status-controller',
]);

let stores: TestStores;
let watched: Set<string>;

beforeEach(async () => {
  stores = await openTestStores();
  watched = new Set();
  const { watch } = CachedCollection.prototype;
  jest.spyOn(CachedCollection.prototype, 'watch').mockImplementation(function (this: CachedCollection, options) {
    const { group, resource } = this.resource;
    watched.add(group === '' ? resource : `${resource}.${group}`);
    return watch.call(this, options);
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stores.close();
});

describe('what wakes a controller of a fork', () => {
  test.each(Object.entries(wakeRules))('is all that %s watches at its start', async (name, { resources }) => {
    const errors: object[] = [];
    const context = {
      stores: stores.stores,
      logger: { ...silentLogger, error: (fields: object) => errors.push(fields) },
      quota: { open: async () => undefined, observe: () => undefined },
      signing: { duration: 1, sources: { 'kubernetes.io/kube-apiserver-client': () => undefined } },
      resolveSchema: async () => undefined,
    } as unknown as ControllerContext;
    const running = startControllers(context, new Set([name as ControllerName]));
    await running.synced;
    await running.close();
    expect(errors).toEqual([]);
    expect([name, watched.size > 0]).toEqual([name, !watchesLater.has(name)]);
    if (resources !== undefined) expect(resources).toEqual(expect.arrayContaining([...watched]));
  });
});
