import { runInThisContext } from 'node:vm';
import type { Hooks } from './hooks.ts';
import type { Cluster, UseServerOptions } from './use-server.ts';

export type { Cluster, UseServerOptions } from './use-server.ts';

/*
 * The build compiles this file to CommonJS. Jest gives each test file its own context and hooks, and loads this file
 * into it. Node's own `require` loads all other modules once in a worker, so the files of a worker share servers.
 */

/**
 * Gives the tests of a Jest file a server.
 *
 *     const cluster = useServer();
 *     test('...', async () => {
 *       await cluster.client.core.v1.configmaps.namespace('default').create({ metadata: { name: 'a' } });
 *     });
 */
export function useServer(options?: UseServerOptions): Cluster {
  const { createRequire } = runInThisContext("process.getBuiltinModule('node:module')") as typeof import('node:module');
  const shared = createRequire(__filename)('./use-server.js') as typeof import('./use-server.ts');
  return shared.useServer(require('@jest/globals') as Hooks, options);
}
