import type { ServerOptions } from '../options/server-options.ts';
import type { RunningServer } from '../server/running-server.ts';
import { startServer } from '../server/server.ts';

interface SharedServer {
  readonly options: ServerOptions;
  readonly server: Promise<RunningServer>;
}

/** The servers that the files of this worker share. They end with the worker. */
const shared: SharedServer[] = [];

/** Returns the server with these options. The first call starts it. @throws OptionError */
export async function sharedServer(options: ServerOptions): Promise<RunningServer> {
  const known = shared.find((one) => isSame(one.options, options));
  if (known !== undefined) return known.server;
  const server = startServer(options).then((started) => {
    started.unref();
    return started;
  });
  shared.push({ options, server });
  return server;
}

/**
 * Reports whether options are equal. Plain objects may come from different realms, whose prototypes differ. Other
 * values, as functions, must be identical.
 */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSame(a[key], b[key]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
