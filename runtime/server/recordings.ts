import { statSync } from 'node:fs';
import type { Recorder } from '../testkit/recording/recorder.ts';
import type { Replay } from '../testkit/recording/replay.ts';
import type { CompletedConfig } from './config.ts';
import { OptionError } from './options.ts';
import { storageOf } from './storage.ts';

/** What is recorded of a server, and what it replays. */
export interface Recordings {
  readonly recorder: Recorder | undefined;
  readonly replay: Replay | undefined;
}

/** Loads only what the options ask for. @throws OptionError for a file that cannot be written or replayed */
export async function openRecordings(config: CompletedConfig): Promise<Recordings> {
  const { record, replay } = config.options;
  if (record !== undefined && replay !== undefined && isSameFile(record, replay.file)) {
    throw new OptionError(`--record: ${record} is what is replayed, and would be overwritten`);
  }
  const opened = replay === undefined ? undefined : await openReplay(config);
  return { replay: opened, recorder: record === undefined ? undefined : await openRecorder(record, config) };
}

async function openRecorder(path: string, { clock, logger, minor, options }: CompletedConfig): Promise<Recorder> {
  const { Recorder } = await import('../testkit/recording/recorder.ts');
  const { seed } = options;
  try {
    return new Recorder({ path, clock, logger, seed, isManual: 'advance' in clock, kubernetes: `v1.${minor}` });
  } catch (error) {
    throw new OptionError(`--record: ${(error as Error).message}`);
  }
}

async function openReplay({ clock, logger, minor, options }: CompletedConfig): Promise<Replay | undefined> {
  const { replay: spec, simulate, fixtures, snapshot } = options;
  if (spec === undefined) return undefined;
  if (storageOf(options) !== 'memory') throw new OptionError('a recording is replayed in memory: use --storage=memory');
  if (simulate) throw new OptionError('a recording cannot be replayed with --simulate');
  if (fixtures !== undefined || snapshot !== undefined) {
    throw new OptionError('a server that replays a recording begins with nothing else: no --fixtures, no snapshot');
  }
  const { Replay } = await import('../testkit/recording/replay.ts');
  const replay = await Replay.open(spec, { clock, logger }).catch((error: Error) => {
    throw new OptionError(error.message);
  });
  if (replay.kubernetes === `v1.${minor}`) return replay;
  const release = replay.kubernetes.slice(1);
  throw new OptionError(`${spec.file} has objects of Kubernetes ${release}: use --kubernetes-version=${release}`);
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
