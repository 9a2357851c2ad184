import { boolean, checked, either, object, oneOf, text, whole } from '../machinery/options/option-type.ts';

/** A replay of a recording, for `startServer({ replay })`. */
export interface ReplaySpec {
  /** The path of the recording. */
  readonly file: string;
  /**
   * The initial state: a revision, or a time (RFC 3339). Default: with `speed`, the moment when the recorded server was
   * ready; without it, the end of the recording.
   */
  readonly at?: number | string | undefined;
  /**
   * Replays the changes after the initial state, this many times as fast as recorded, or as fast as possible. Default:
   * no changes; the server behaves like any other.
   */
  readonly speed?: number | 'max' | undefined;
  /** Delays the replay until a client's first list or watch, or until `play`. Default: false. */
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
