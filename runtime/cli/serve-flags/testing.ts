import { list } from './flag-values.ts';
import type { ServeFlag } from './serve-flag.ts';

/** What tests steer and see. */
export const testingFlags: readonly ServeFlag[] = [
  {
    name: 'fixtures',
    option: 'fixtures',
    value: list('PATH'),
    about:
      'A file or a folder of manifests, or of what kubectl get -o yaml printed, which the server has before it is ready. May be repeated.',
  },
];
