import type { Readable } from 'node:stream';
import type { Clock } from '../../../machinery/clock.ts';
import type { ContainerFiles } from '../container-files.ts';

/** A command that runs in a simulated container. */
export interface Process {
  readonly args: readonly string[];
  stdin: Readable | undefined;
  readonly env: Map<string, string>;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The folder that it runs in. */
  folder: string;
  /** Resolves when there is room for more. */
  out(data: string | Buffer): Promise<void>;
  err(data: string | Buffer): Promise<void>;
}
