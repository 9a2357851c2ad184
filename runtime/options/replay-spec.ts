import { boolean, checked, either, object, oneOf, text, whole } from '../machinery/options/option-type.ts';

/** A recording that a server replays, with `startServer({ replay })`. */
export interface ReplaySpec {
  /** The path of the recording. */
  readonly file: string;
  /**
   * The state that the server begins in: that of a revision, or of a time (RFC 3339). Default: with `speed`, the moment
   * when the recorded server was ready; without it, the end of the recording.
   */
  readonly at?: number | string | undefined;
  /**
   * What follows on that state happens on the server, too: this many times as fast as it did, or as fast as possible. Default:
   * nothing happens, and the server is like any other from there on.
   */
  readonly speed?: number | 'max' | undefined;
  /** Whether nothing happens before a client lists or watches something, or `play` is called. Default: false. */
  readonly paused?: boolean | undefined;
}

export const replaySpec = object<ReplaySpec>(
  {
    file: text,
    at: either(whole(), text),
    speed: either(
      checked<number>('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0),
      oneOf('max'),
    ),
    paused: boolean,
  },
  'file',
);
