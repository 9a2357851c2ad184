import type { Clock } from '../../../machinery/clock.ts';
import type { ContainerFiles } from '../container-files.ts';
import type { ProcessorTime } from './processor-time.ts';

/** A running command in a simulated container. */
export interface Process {
  readonly args: readonly string[];
  stdin: AsyncIterable<Buffer> | undefined;
  readonly env: Map<string, string>;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly time: ProcessorTime;
  /** The working directory. */
  folder: string;
  /** Writes output. Resolves when there is room for more. */
  out(data: string | Buffer): Promise<void>;
  err(data: string | Buffer): Promise<void>;
}
