import type { ServerOptions } from './options.ts';
export interface RunningServer {
  readonly url: string;
  readonly version: string;
  close(): Promise<void>;
}
export async function startServer(_options: ServerOptions = {}): Promise<RunningServer> {
  throw new Error('assembling');
}
