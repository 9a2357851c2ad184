import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { threadId } from 'node:worker_threads';

/** The number of entries that a folder keeps: one for each build, and for each version of Node and its flags. An entry has 5 MB. */
const keptEntries = 8;
const prefix = 'program-';

/**
 * Compiled code of one script, in a folder. V8 compares only the length of a source with that of its compiled code, so the
 * script's name contains a hash of its source: `program-1a2b3c4d.js` is kept as `program-1a2b3c4d-v20.20.2-x64-8d1f0a3b.bin`.
 */
export class CompiledCode {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, script: string) {
    this.#folder = folder;
    this.#name = basename(script, '.js');
  }

  /** The file for the present flags of V8, which a server changes before it starts a thread. */
  get #file(): string {
    const engine = `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`;
    return join(this.#folder, `${this.#name}-${engine}.bin`);
  }

  /** Returns undefined if there is none. */
  read(): Buffer | undefined {
    try {
      return readFileSync(this.#file);
    } catch {
      return undefined;
    }
  }

  /** Does nothing where the folder cannot be written. */
  write(code: Uint8Array): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      this.#replace(code);
      this.#removeOld();
    } catch {
      // The next process compiles again.
    }
  }

  /** Renames a whole file into place, since processes may end at the same time. */
  #replace(code: Uint8Array): void {
    const file = this.#file;
    const part = `${file}.${process.pid}-${threadId}`;
    try {
      writeFileSync(part, code, { mode: 0o600 });
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
  }

  #removeOld(): void {
    const entries = readdirSync(this.#folder).filter((name) => name.startsWith(prefix));
    const byAge = entries.map((name) => ({ path: join(this.#folder, name), changed: statSync(join(this.#folder, name)).mtimeMs }));
    byAge.sort((a, b) => b.changed - a.changed);
    for (const { path } of byAge.slice(keptEntries)) rmSync(path, { force: true });
  }
}
