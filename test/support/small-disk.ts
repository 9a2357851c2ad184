import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system in memory. */
export class SmallDisk {
  readonly path: string;

  /** Mounts the file system in a new temporary folder. */
  constructor(mebibytes: number) {
    this.path = mkdtempSync(join(tmpdir(), 'kubeloom-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', this.path], { stdio: 'pipe' });
    } catch (error) {
      rmdirSync(this.path);
      throw error;
    }
  }

  /** Fills the rest of the space. */
  fill(): void {
    const file = openSync(this.#filler, 'a');
    for (const size of [1 << 20, 1 << 12, 1]) {
      const zeros = Buffer.alloc(size);
      try {
        for (;;) if (writeSync(file, zeros) < size) break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
    closeSync(file);
  }

  free(): void {
    rmSync(this.#filler, { force: true });
  }

  /** Unmounts even with open files. */
  unmount(): void {
    execFileSync('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }

  get #filler(): string {
    return join(this.path, 'filler');
  }
}

/** The reason why this machine has no small disks. */
export const missingSmallDisk: string | undefined = (() => {
  try {
    new SmallDisk(1).unmount();
    return undefined;
  } catch {
    return 'no file system can be mounted here, which root can';
  }
})();
