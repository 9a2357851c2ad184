import { file } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

export const recordingFlags: readonly ServeFlag[] = [
  {
    name: 'record',
    option: 'record',
    value: file(),
    about: 'Record all requests, changes and watch events in a file, which then has all objects, Secrets too.',
  },
];
