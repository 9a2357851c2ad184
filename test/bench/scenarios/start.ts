import { execFile } from 'node:child_process';
import type { Report } from '../report.ts';
import { root, startKubeloom, startLimit } from '../target.ts';

const milliseconds = (values: number[]): string => `${Math.round(values.sort((a, b) => a - b)[values.length >> 1])} ms`;

/** Measures a cold start from `node`, an in-process start with loaded code, and idle memory. */
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
