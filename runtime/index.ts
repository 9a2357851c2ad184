export type { ServerOptions } from './server/options.ts';
export type { RunningServer } from './server/server.ts';
export { startServer } from './server/server.ts';
