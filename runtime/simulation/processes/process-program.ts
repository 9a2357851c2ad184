import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../machinery/clock.ts';
import type { ProcessIO } from '../programs/container-processes.ts';
import type { ProgramEnd, RunningProgram } from '../programs/container-run.ts';
import type { ProgramLog } from '../programs/program-log.ts';
import type { ProcessGroup } from './process-group.ts';
import { copyLines } from './process-output.ts';

/** The most bytes that wait for a client that attaches and does not read. Later ones are dropped. */
const maxWaiting = 1024 * 1024;

export interface ProcessProgramOf {
  readonly group: ProcessGroup;
  readonly log: ProgramLog;
  readonly clock: Clock;
  readonly stdinOnce: boolean;
  /** Returns the termination message, when the process has ended. */
  message(): Promise<string | undefined>;
}

/** The process of a container. */
export class ProcessProgram implements RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  readonly settled = Promise.resolve();
  readonly #given: ProcessProgramOf;
  /** Commands beside the process, which end with it. */
  readonly #commands = new Set<ProcessGroup>();

  constructor(given: ProcessProgramOf) {
    const { group, log, clock } = given;
    this.#given = given;
    copyLines(group.stdout, log, clock);
    copyLines(group.stderr, log, clock);
    this.ended = this.#end();
  }

  get pid(): number {
    return this.#given.group.pid;
  }

  signal(name: string): boolean {
    this.#given.group.signal(name);
    return true;
  }

  kill(): void {
    this.#given.group.kill();
  }

  /** Runs a command beside the process. Returns its exit code. */
  async run(command: ProcessGroup, { stdin, stdout, stderr, signal }: ProcessIO): Promise<number> {
    this.#commands.add(command);
    const stop = (): void => {
      command.kill();
      command.endStreams();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    if (command.stdin !== null) stdin?.pipe(command.stdin);
    pass(command.stdout, stdout);
    pass(command.stderr, stderr ?? stdout);
    try {
      return await command.ended;
    } finally {
      signal.removeEventListener('abort', stop);
      if (command.stdin !== null) stdin?.unpipe(command.stdin);
      this.#commands.delete(command);
    }
  }

  /** Connects a client to the streams of the process. Returns its exit code, or 0 for a client that has left. */
  async attach({ stdin, stdout, stderr, signal }: ProcessIO): Promise<number> {
    const { group, stdinOnce } = this.#given;
    const forget = [copyTo(group.stdout, stdout), copyTo(group.stderr, stderr ?? stdout)];
    if (group.stdin !== null) stdin?.pipe(group.stdin, { end: stdinOnce });
    const left = new Promise<number>((resolve) => {
      if (signal.aborted) resolve(0);
      else signal.addEventListener('abort', () => resolve(0), { once: true });
    });
    const exitCode = await Promise.race([group.ended, left]);
    for (const one of forget) one();
    if (group.stdin !== null) stdin?.unpipe(group.stdin);
    return exitCode;
  }

  async #end(): Promise<ProgramEnd> {
    const { group, log, clock, message } = this.#given;
    const exitCode = await group.ended;
    for (const command of this.#commands) command.kill();
    const text = await message();
    const at = clock.now();
    log.close(at);
    return { exitCode, at, ...(text !== undefined && { message: text }) };
  }
}

/** Passes output on at the speed of its reader. */
function pass(from: Readable, to: Writable | undefined): void {
  if (to === undefined) from.resume();
  else from.pipe(to, { end: false });
  to?.once('close', () => from.resume());
}

/** Copies output to a client, which must not hold up the process. Returns a function that ends this. */
function copyTo(from: Readable, to: Writable | undefined): () => void {
  const write = (chunk: Buffer): void => {
    if (to !== undefined && !to.destroyed && to.writableLength < maxWaiting) to.write(chunk);
  };
  from.on('data', write);
  return () => void from.off('data', write);
}
