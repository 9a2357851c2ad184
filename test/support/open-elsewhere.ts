import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process that opens an LMDB store, and its output: `open at REVISION` or the error's message. */
export interface Opener {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
}

/**
 * @param stay keep the store open until the process is killed
 * @param before a command that runs another command, with its arguments
 */
export function openElsewhere(path: string, { stay = false, before = [] as readonly string[] } = {}): Opener {
  const loader = new URL('./ts-loader.mjs', import.meta.url).href;
  const engine = new URL('../../runtime/storage/lmdb/lmdb-engine.ts', import.meta.url).href;
  const script = `
    const { openLmdbEngine } = await import(${JSON.stringify(engine)});
    try {
      const engine = await openLmdbEngine({ path: ${JSON.stringify(path)} });
      console.log('open at ' + engine.revision());
      if (${stay}) setInterval(() => undefined, 1000);
      else await engine.close();
    } catch (error) {
      console.log(error.message);
    }`;
  const [command, ...args] = [...before, process.execPath, '--import', loader, '--input-type=module', '-e', script];
  const child = spawn(command, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KUBELOOM_TS_LOADER: '', NODE_OPTIONS: '' },
  });
  const said = new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
      if (stay && output.endsWith('\n')) resolve(output.trim());
    });
    child.on('error', reject);
    child.on('close', () => resolve(output.trim()));
  });
  return { child, said };
}
