import type { StatusError } from '../machinery/errors/status.ts';

/** What a frame of a watch tells its client. */
export type FrameKind = 'Event' | 'Bookmark' | 'Error';

/** Where a watch writes its frames. */
export interface FrameSink {
  /**
   * Returns false if the watch should wait for its client.
   *
   * @param revision of an event; undefined for initial events, which come in no order
   */
  write(frame: Uint8Array, kind: FrameKind, revision?: number): boolean;
  /** Ends the response, in good order. */
  end(): void;
  /** Whether frames wait here, or in a sink behind this one. */
  readonly isWithholding: boolean;
}

/** A watch that is being served, as others see it. */
export interface ServedWatch {
  /** Whether there are events, or initial events, that the network has not taken yet. */
  readonly isBehind: boolean;
  /** The client was told everything up to this revision; undefined while it does not have the initial events. */
  readonly deliveredRevision: number | undefined;
  /** Puts a sink in front of the one that the watch writes to. */
  intercept(wrap: (sink: FrameSink) => FrameSink): void;
  /** The frame of a bookmark; undefined for a client that does not want any. */
  encodeBookmark(revision: number): Uint8Array | undefined;
  /** Ends the watch, with a last bookmark if the client wants bookmarks. */
  end(): void;
  /** Ends the watch with an ERROR event. */
  fail(error: StatusError): void;
}
