import { execFile } from 'node:child_process';
import { KubeApiserver, missingKubeApiserver } from '../../support/kube-apiserver.ts';
import type { Report } from '../report.ts';
import { root, startKubeloom, startLimit } from '../target.ts';

const milliseconds = (values: number[]): string => `${Math.round(values.sort((a, b) => a - b)[values.length >> 1])} ms`;

/**
 * Measures a cold start from `node`, an in-process start with loaded code, and idle memory. Beside kube-apiserver with its etcd
 * where KUBE_HOME names a folder with its programs.
 */
export async function start(report: Report): Promise<void> {
  for (const [storage, target] of [
    ['memory', 500],
    ['lmdb', 800],
  ] as const) {
    const times: number[] = [];
    const limits: number[] = [];
    let rss = 0;
    for (let round = 0; round < 5; round++) {
      const server = await startKubeloom([`--storage=${storage}`]);
      times.push(server.readyMs);
      rss = server.rss();
      const limit = await startLimit(server);
      limits.push(limit.readyMs);
      await limit.close();
      await server.close();
    }
    const bare = `${milliseconds(limits)} (bare node:https)`;
    report.row(`cold start to ready, ${storage}`, milliseconds(times), bare, `at most ${target} ms`);
    report.row(`resident when idle, ${storage}`, `${Math.round(rss)} MiB`, '', 'at most 120 MiB');
  }
  report.row('startServer() once loaded', milliseconds(await inProcess()), '', 'at most 150 ms');
  if (missingKubeApiserver === undefined) await besideKubeApiserver(report);
}

/** Starts both in turns, so that they meet the same load. */
async function besideKubeApiserver(report: Report): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    const server = await startKubeloom(['--storage=memory']);
    ours.push(server.readyMs);
    await server.close();
    const started = performance.now();
    const peer = await KubeApiserver.start();
    theirs.push(performance.now() - started);
    await peer.stop();
  }
  report.row(
    'cold start to ready, memory, in turns with kube-apiserver, medians of five',
    milliseconds(ours),
    `${milliseconds(theirs)} (kube-apiserver and etcd)`,
    '',
  );
}

function inProcess(): Promise<number[]> {
  const script = `
    const { startServer } = await import('./dist/runtime/index.js');
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      const server = await startServer();
      console.log(performance.now() - started);
      await server.close();
    }`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], { cwd: root }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(stdout.trim().split('\n').map(Number));
    });
  });
}
