import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { nodeBinary } from '../../packaging/executable/node-binary.ts';
import { targetOf } from '../../packaging/executable/targets.ts';
import { root } from '../support/generated-project.ts';

const rounds = 9;

/** Resolves to the median time until a server is ready: that of the executable, and of the same server in the same Node. */
export async function readyTimes(executable: string): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'kubeloom-ready-'));
  const node = nodeBinary(targetOf(`${process.platform}-${process.arch}`).node);
  const commands = new Map([
    ['the executable', [executable]],
    ['node dist/runtime/cli/main.js', [node, join(root, 'dist/runtime/cli/main.js')]],
  ]);
  const times = new Map([...commands.keys()].map((name): [string, number[]] => [name, []]));
  try {
    // in turns, so that both meet the same load; the first round fills caches
    for (let round = 0; round <= rounds; round++) {
      for (const [name, command] of commands) {
        const time = await readyTime(command, folder);
        if (round > 0) times.get(name)?.push(time);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return new Map([...times].map(([name, all]) => [name, all.sort((one, other) => one - other)[rounds >> 1] as number]));
}

async function readyTime([command = '', ...args]: readonly string[], folder: string): Promise<number> {
  const kubeconfig = join(folder, 'kubeconfig');
  rmSync(kubeconfig, { force: true });
  const flags = ['serve', '--storage=memory', '--secure-port=0', '--exit-with-stdin', `--write-kubeconfig=${kubeconfig}`];
  const started = performance.now();
  const child = spawn(command, [...args, ...flags], { env: { XDG_CACHE_HOME: folder }, stdio: ['pipe', 'ignore', 'ignore'] });
  const exited = once(child, 'exit');
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null) throw new Error(`${command} has not started`);
    await setTimeout(1);
  }
  const time = performance.now() - started;
  child.stdin.end();
  await exited;
  return time;
}
