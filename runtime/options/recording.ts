import { file } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { replaySpec } from './replay-spec.ts';

export const recordingOptions: readonly OptionRow[] = [
  {
    option: 'record',
    flag: 'record',
    value: file(),
    about: 'Record all requests, changes and watch events in a file, which then has all objects, Secrets too.',
    doc:
      'The path of a file that all requests, changes and watch events are recorded in; it is replaced if it exists. Only its ' +
      'user can read it: it has every object, Secrets too. Default: nothing is recorded.',
  },
  {
    option: 'replay',
    check: replaySpec,
    type: 'ReplaySpec | undefined',
    doc:
      'Begin with a state of a recording, in memory, and perhaps let happen what it has after that. The server writes nothing ' +
      'of its own then, and runs no controllers but those that `controllers` names. Default: the store is as it is.',
  },
];
