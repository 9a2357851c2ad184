import { describeFlags, type Flag, invalidFlag, type ParsedFlags, parseFlags, UsageError } from '../machinery/options/flags.ts';
import type { ReplaySpec } from '../options/replay-spec.ts';
import type { RunningServer } from '../server/running-server.ts';
import { requestedEnd } from './requested-end.ts';
import { requestedOptions } from './requested-options.ts';
import { serveFlags } from './serve-flags.ts';
import { serveUntilSignalled } from './serve-until-signalled.ts';

const replayFlags: readonly Flag[] = [
  {
    name: 'at',
    type: 'string',
    value: 'REVISION|TIME',
    about:
      'The state that the server begins in, by its resourceVersion or its time (RFC 3339). Default: the end of the recording, or with --speed the moment when the server was ready.',
  },
  {
    name: 'speed',
    type: 'string',
    value: 'NUMBER|max',
    about:
      'Let what was recorded after that state happen again, this many times as fast. Default: the server is like any other from there on.',
  },
  {
    name: 'paused',
    type: 'boolean',
    about: 'With --speed: nothing happens until a client lists or watches something.',
  },
];

const replayHelp = `Serve a state of a recording (kubeloom serve --record), in memory.

Usage:
  kubeloom replay FILE [flags]

The server writes nothing of its own and runs no controllers. While the recording goes on, what clients write is answered as if
it were stored, and forgotten.

Flags:
${describeFlags(replayFlags)}
All flags of kubeloom serve are flags of this command, too.
`;

/** Replays until SIGTERM or SIGINT. */
export async function replay(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args, [...replayFlags, ...serveFlags], 1);
  if (flags.help) {
    process.stdout.write(replayHelp);
    return;
  }
  const spec = replaySpec(flags);
  const options = await requestedOptions(flags);
  if (options === undefined) {
    process.exitCode = 1;
    return;
  }
  const { storage = 'memory' } = flags.string('storage') === undefined ? {} : options;
  await serveUntilSignalled({ ...options, storage, replay: spec }, { onReady: report, end: requestedEnd(flags) });
}

function replaySpec(flags: ParsedFlags): ReplaySpec {
  const [file] = flags.positionals;
  if (file === undefined) throw new UsageError('kubeloom replay needs the file of a recording');
  const [at, speed, paused] = [flags.string('at'), flags.string('speed'), flags.boolean('paused')];
  if (speed !== undefined && speed !== 'max' && !isSpeed(speed)) {
    throw invalidFlag('speed', speed, 'must be a number above 0, or max');
  }
  if (at !== undefined && !/^\d+$/.test(at) && Number.isNaN(Date.parse(at))) {
    throw invalidFlag('at', at, 'must be a resourceVersion or a time, as 2026-01-01T00:00:00Z');
  }
  if (paused && speed === undefined) throw new UsageError('--paused needs --speed');
  return {
    file,
    paused,
    at: at !== undefined && /^\d+$/.test(at) ? Number(at) : at,
    speed: speed === undefined || speed === 'max' ? speed : Number(speed),
  };
}

/** Reports whether a text is a decimal number above 0: `2` or `0.5`. */
const isSpeed = (text: string): boolean => /^(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) > 0 && Number.isFinite(Number(text));

function report(server: RunningServer): void {
  process.stdout.write(`Kubeloom replays revision ${server.revision()} on ${server.url}\n`);
  void server.replay?.finished.then(() => process.stdout.write(`at the end: revision ${server.revision()}\n`));
}
