import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Clock } from '../../machinery/clock.ts';
import { parseMilliseconds } from '../../machinery/go/duration.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { containerEnvironment, expandedCommand } from '../environment/container-environment.ts';
import { annotationOf } from '../pods/behaviour.ts';
import { containerOf } from '../pods/container-of.ts';
import { initialFiles } from './initial-files.ts';
import { Input } from './shell/input.ts';
import type { Process } from './shell/process.ts';
import { KilledError, ProcessorTime } from './shell/processor-time.ts';
import { Signals } from './shell/signals.ts';
import { isKnown, runCommand } from './shell/spawn.ts';

/** A line of a container's output, and its milliseconds after the start. */
export interface LogLine {
  readonly after: number;
  /** The line without a newline. */
  readonly text: string;
}

/** Returns the text of the annotation, or else the output of the container's command if the simulation knows it. */
export async function logLines(pod: Pod, container: string, objects: () => Promise<ClusterObjects>): Promise<readonly LogLine[]> {
  const text = annotationOf(pod, 'log', container);
  if (text === undefined) return printedBy(pod, container, objects);
  const interval = intervalOf(pod, container);
  return linesOf(text).map((line, index) => ({ after: index * interval, text: line }));
}

function intervalOf(pod: Pod, container: string): number {
  try {
    return Math.max(0, parseMilliseconds(annotationOf(pod, 'log-interval', container) ?? '0s'));
  } catch {
    return 0;
  }
}

const linesOf = (text: string): string[] => (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');

/** Runs the command with a clock of its own, so that sleeps take no time. */
async function printedBy(pod: Pod, name: string, objects: () => Promise<ClusterObjects>): Promise<readonly LogLine[]> {
  const container = containerOf(pod, name);
  if (!container?.command?.length && !container?.args?.length) return [];
  const found = await objects();
  const env = containerEnvironment({ pod, container, objects: found, onMissing: () => {} });
  const [command = '', ...args] = expandedCommand(container, env);
  if (!isKnown(command)) return [];
  const lines: LogLine[] = [];
  let now = 0;
  let rests = 0;
  let pending = '';
  let left = maxBytes;
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      now += ms;
      if (++rests > maxRests) full.abort();
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const full = new AbortController();
  const out: Process['out'] = async (data) => {
    const complete = (pending + data.toString('utf8', 0, left)).split('\n');
    left -= data.length;
    pending = complete.pop() ?? '';
    for (const text of complete) if (lines.length < maxLines) lines.push({ after: now, text });
    // the log is full
    if (left <= 0 || lines.length === maxLines) full.abort();
  };
  const process: Process = {
    pid: 1,
    args,
    stdin: Input.empty(),
    env,
    files: initialFiles({ pod, container, objects: found, variables: env, now: clock.now }),
    clock,
    signals: new Signals(),
    depth: 0,
    time: ProcessorTime.of(full.signal),
    folder: container.workingDir ?? '/',
    out,
    err: out,
    console: out,
    run: runCommand,
    signalFirst: () => undefined,
  };
  try {
    await runCommand(command, process);
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  } finally {
    process.time.kill();
  }
  if (pending !== '') lines.push({ after: now, text: pending });
  return lines;
}

/** The most lines of a log, and the most bytes. */
const maxLines = 10_000;
/** The most pauses of a command that never ends. */
const maxRests = 10_000;
const maxBytes = 1024 * 1024;
