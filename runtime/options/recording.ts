import { file } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { replaySpec } from './replay-spec.ts';

export const recordingOptions: readonly OptionRow[] = [
  {
    option: 'record',
    flag: 'record',
    value: file(),
    about: 'Record all requests, changes and watch events in a file. It contains all objects, including Secrets.',
    doc:
      'The path of a file for all requests, changes and watch events. An existing file is replaced. Only its user can read it, ' +
      'because it contains all objects, including Secrets. Default: nothing is recorded.',
  },
  {
    option: 'replay',
    check: replaySpec,
    type: 'ReplaySpec | undefined',
    doc:
      'Starts in memory with a state of a recording, and optionally repeats the later writes. The server then makes no writes ' +
      'of its own, and only runs the controllers in `controllers`. Default: no replay.',
  },
];
