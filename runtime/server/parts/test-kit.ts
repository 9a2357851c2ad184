import { optional, part } from '../assembly/part.ts';
import { Fixtures } from '../test-kit/fixtures.ts';
import { openRecorder, openReplay } from '../test-kit/recordings.ts';
import { config } from './inputs.ts';

const defaultRequestLog = 10_000;

/** Recent requests, for assertions. */
export const requestLog = part('requestLog', {
  needs: { config },
  async open({ config: { options } }) {
    const { RequestLog } = await import('../../testkit/requests/request-log.ts');
    return new RequestLog(options.requestLog ?? defaultRequestLog);
  },
});

/** Objects from files, written before the server is ready. */
export const fixtures = part('fixtures', {
  needs: { config },
  open: ({ config: { options } }) => Fixtures.read(options.fixtures ?? []),
});

/** The snapshot file with the server's initial objects. */
export const initialSnapshot = part('initialSnapshot', {
  needs: { config },
  async open({ config: { options } }) {
    const { InitialSnapshot } = await import('../test-kit/initial-snapshot.ts');
    return InitialSnapshot.read(options.snapshot ?? '');
  },
});

/** A recording whose writes this server repeats. */
export const replay = part('replay', {
  needs: { config },
  open: ({ config: given }) => openReplay(given),
  close: (opened) => opened.close(),
});

/** The file that records this server. */
export const recorder = part('recorder', {
  // the replay opens first, so that a file that cannot be replayed stays unchanged
  needs: { config, replay: optional(replay) },
  open: ({ config: given }) => openRecorder(given),
  close: (opened) => opened.close(),
});
