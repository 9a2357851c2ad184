import { once } from 'node:events';
import { createServer } from 'node:net';
import { newFolder, startKubeloom } from '../bench/target.ts';
import { missingReference, Reference } from './reference.ts';
import { Side } from './side.ts';

/** Kubernetes' own server, and this one. */
export interface Servers {
  readonly reference: Reference;
  /** Of this server, which wrote its kubeconfig into the folder. Both exist as long as the servers. */
  readonly port: number;
  readonly folder: string;
  /** The reference first. */
  readonly sides: readonly [Side, Side];
}

/** Neither server forgets history, of which the reference keeps five to ten minutes and this server five. */
const referenceFlags = ['--etcd-compaction-interval=0'];
/** The reference has no controllers of built-in kinds. */
const ownFlags = ['--storage=memory', '--controllers=*,-garbage-collector-controller', '--compaction-window=24h'];

/** Runs something beside both servers, and returns its exit status. Prints the reason if there is no reference. */
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

/** The first of three ports that are most likely free. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port > 65_000 ? port - 10 : port;
}
