import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Cluster, type UseServerOptions, useServer as use } from './use-server.ts';

export type { Cluster, UseServerOptions } from './use-server.ts';

/**
 * Gives the tests of a Vitest file a server.
 *
 * Vitest ends a worker with each file, unless `isolate` is false in its configuration: then the files of a worker share a server, and
 * its code is loaded once.
 *
 *     const cluster = useServer();
 *     test('...', async () => {
 *       await cluster.client.core.v1.configmaps.namespace('default').create({ metadata: { name: 'a' } });
 *     });
 */
export const useServer = (options?: UseServerOptions): Cluster => use({ beforeAll, beforeEach, afterAll }, options);
