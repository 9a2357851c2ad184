import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ControllerContext } from '../../../runtime/controllers/controller.ts';
import { wakeRules } from '../../../runtime/controllers/dormancy/wake-rules.ts';
import type { ControllerName } from '../../../runtime/controllers/selection.ts';
import { startControllers } from '../../../runtime/controllers/start-controllers.ts';
import { silentLogger } from '../../../runtime/observe/logger.ts';
import { StoredCollection } from '../../../runtime/storage/object-store/collection.ts';
import { openTestStores, type TestStores } from '../../support/resource-stores.ts';

/* A controller of a fork sleeps until a resource is written that it watches. */

let stores: TestStores;
let watched: Set<string>;

beforeEach(async () => {
  stores = await openTestStores();
  watched = new Set();
  const { watch } = StoredCollection.prototype;
  jest.spyOn(StoredCollection.prototype, 'watch').mockImplementation(function (this: StoredCollection, options) {
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
    const context = {
      ...{ stores: stores.stores, logger: silentLogger, quota: { observe: () => undefined } },
      ...{ signing: { duration: 1, sources: {} }, resolveSchema: async () => undefined },
    } as unknown as ControllerContext;
    const running = startControllers(context, new Set([name as ControllerName]));
    await running.synced;
    await running.close();
    if (resources === undefined) expect(watched.size).toBeGreaterThan(0);
    else expect(resources).toEqual(expect.arrayContaining([...watched]));
  });
});
