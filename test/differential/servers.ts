import { once } from 'node:events';
import { createServer } from 'node:net';
import { newFolder, startKubeloom } from '../bench/target.ts';
import { missingReference, Reference } from './reference.ts';
import { Side } from './side.ts';

/** Kubernetes' own server, and this one. */
export interface Servers {
  readonly reference: Reference;
  /** The port of this server. Its kubeconfig is in the folder, which exists as long as the servers. */
  readonly port: number;
  readonly folder: string;
  /** The reference first. */
  readonly sides: readonly [Side, Side];
}

/**
 * Neither server compacts history. The defaults are five to ten minutes for the reference, and five for this server.
 */
const referenceFlags = ['--etcd-compaction-interval=0'];
/** The reference has no controllers of built-in kinds. */
const ownFlags = ['--storage=memory', '--controllers=*,-garbage-collector-controller', '--compaction-window=24h'];

/** Runs a function with both servers. Returns its exit status. Without a reference, prints the reason. */
export async function besideReference(flags: readonly string[], run: (servers: Servers) => Promise<number>): Promise<number> {
  if (missingReference !== undefined) {
    console.log(`skipped: ${missingReference}`);
    return 0;
  }
  const reference = await Reference.start(await freePort(), [...referenceFlags, ...flags]);
  const folder = newFolder();
  try {
    const own = await startKubeloom([...ownFlags, ...flags], { folder });
    const sides = [
      new Side(reference.url, { rejectUnauthorized: false }, reference.token),
      new Side(`https://127.0.0.1:${own.credentials.port}`, own.credentials),
    ] as const;
    try {
      return await run({ reference, sides, port: own.credentials.port, folder });
    } finally {
      for (const side of sides) side.close();
      await own.close();
    }
  } finally {
    await reference.stop();
  }
}

/** Returns the first of three ports that are probably free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port > 65_000 ? port - 10 : port;
}
