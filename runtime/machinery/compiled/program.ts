import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { CompiledCode } from './compiled-code.ts';
import { compiledCodeFolder } from './compiled-code-folder.ts';

/*
 * The build puts all modules of the server into one script. A script can start from compiled code on every version of Node, which
 * ES modules cannot on Node 20: a start takes half the processor time, and one file is read instead of 276.
 */

/** The modules of the program, which run when they are first asked for. */
type Modules = Readonly<Record<string, () => object>>;
type Factory = (require: NodeJS.Require, module: { exports: { modules?: Modules } }, moduleUrl: string, shared: object) => void;

const keepAfterMs = 1_000;
let keep: (() => void) | undefined;

/**
 * Runs the script of a program.
 *
 * @param url of the script, whose value is a Factory
 * @param shared the modules that run outside of the program, because a client loads them without it
 * @param folder for compiled code; undefined if none is kept
 */
export function openProgram(url: URL, shared: object, folder = compiledCodeFolder()): Modules {
  const filename = fileURLToPath(url);
  const compiled = folder === undefined ? undefined : new CompiledCode(folder, filename);
  const cachedData = compiled?.read();
  // The build writes ASCII, and V8 keeps Latin-1 in half the memory.
  const source = readFileSync(filename, 'latin1');
  const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
  if (compiled !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    keep = () => compiled.write(script.createCachedData());
  }
  const factory: Factory = script.runInThisContext();
  const module: { exports: { modules?: Modules } } = { exports: {} };
  factory(createRequire(url), module, url.href, shared);
  return module.exports.modules ?? {};
}

/**
 * Keeps the compiled code of the program for the next process. A server asks for it once it is ready, and so does a thread: by then,
 * most of what a start runs is compiled. Making the code stops a thread for about 80 ms, so the first requests come before. V8 drops
 * code that has run once, such as that of the start, after some garbage collections, so it cannot wait for the end of a long process.
 */
export function keepCompiledCode(): void {
  const write = keep;
  if (write === undefined) return;
  keep = undefined;
  process.once('exit', write);
  const writeNow = (): void => {
    process.off('exit', write);
    write();
  };
  setTimeout(writeNow, keepAfterMs).unref();
}
