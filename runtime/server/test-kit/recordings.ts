import { statSync } from 'node:fs';
import { messageOf } from '../../machinery/errors/message-of.ts';
import { OptionError } from '../../options/server-options.ts';
import type { Recorder } from '../../testkit/recording/recorder.ts';
import type { Replay } from '../../testkit/recording/replay.ts';
import type { CompletedConfig } from '../config.ts';
import { storageOf } from '../storage/storage-parts.ts';

/**
 * Opens the file that records a server.
 *
 * @throws OptionError for a file that cannot be written
 */
export async function openRecorder({ clock, logger, minor, options }: CompletedConfig): Promise<Recorder> {
  const { seed, record: path = '', replay } = options;
  if (replay !== undefined && isSameFile(path, replay.file)) {
    throw new OptionError(`--record: ${path} is what is replayed, and would be overwritten`);
  }
  const { Recorder } = await import('../../testkit/recording/recorder.ts');
  try {
    return new Recorder({ path, clock, logger, seed, isManual: 'advance' in clock, kubernetes: `v1.${minor}` });
  } catch (error) {
    throw new OptionError(`--record: ${messageOf(error)}`);
  }
}

/**
 * Opens the recording that a server replays.
 *
 * @throws OptionError for a file that cannot be replayed
 */
export async function openReplay({ clock, logger, minor, options }: CompletedConfig): Promise<Replay> {
  const { replay: spec = { file: '' }, simulate, fixtures, snapshot } = options;
  if (storageOf(options) !== 'memory') throw new OptionError('a recording is replayed in memory: use --storage=memory');
  if (simulate) throw new OptionError('a recording cannot be replayed with --simulate');
  if (fixtures !== undefined || snapshot !== undefined) {
    throw new OptionError('a server that replays a recording begins with nothing else: no --fixtures, no snapshot');
  }
  const { Replay } = await import('../../testkit/recording/replay.ts');
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
