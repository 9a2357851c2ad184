import { syncBuiltinESMExports } from 'node:module';
import threads, { type Worker, type WorkerOptions } from 'node:worker_threads';
import { insideOf, urlOf } from './place.ts';

/**
 * Lets worker threads run modules inside the executable: they begin with the same code as the process.
 *
 * @param boot the source of this program
 */
export function registerThreads(boot: string): void {
  class InsideWorker extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const path = insideOf(file);
      if (path === undefined) super(file, options);
      else super(`const threadEntry = ${JSON.stringify(urlOf(path))};\n${boot}`, { ...options, eval: true });
    }
  }
  Object.assign(threads, { Worker: InsideWorker satisfies typeof Worker });
  syncBuiltinESMExports();
}
