import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newFolder, startKubeloom } from '../bench/target.ts';
import { sharedFolder } from '../support/shared-folder.ts';
import { missingReference, Reference } from './reference.ts';

/**
 * Sends the same random requests about custom resources to Kubernetes' own server and to this one, and reports each
 * difference that a client can see. ROUNDS (default 20), SEED (default random), FLAGS of both servers; the arguments go
 * to the tool.
 */
const rounds = process.env.ROUNDS || '20';
const flags = (process.env.FLAGS ?? '').split(' ').filter((flag) => flag !== '');

if (missingReference !== undefined) {
  console.log(`skipped: ${missingReference}`);
} else {
  process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const reference = await Reference.start(await freePort(), flags);
  try {
    const folder = newFolder();
    const own = await startKubeloom(['--storage=memory', ...flags], { folder });
    try {
      return await runTool(reference, own.credentials.port, join(folder, 'kubeconfig'));
    } finally {
      await own.close();
    }
  } finally {
    await reference.stop();
  }
}

/** Returns the exit status of the tool: 0 without a difference. */
async function runTool({ url, token }: Reference, port: number, kubeconfig: string): Promise<number> {
  const seed = process.env.SEED ? [`--seed=${process.env.SEED}`] : [];
  const sides = [`--a=${url}`, `--a-token=${token}`, `--b=https://127.0.0.1:${port}`, `--b-kubeconfig=${kubeconfig}`];
  const tool = join(sharedFolder, 'differential/differential.mjs');
  const args = [tool, ...sides, '--insecure', `--rounds=${rounds}`, ...seed, ...process.argv.slice(2)];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  return code ?? 1;
}

/** A port with two more behind it that nobody listens on, most likely. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port > 65_000 ? port - 10 : port;
}
