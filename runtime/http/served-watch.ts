import type { StatusError } from '../machinery/errors/status.ts';

/** The content of a frame in a watch. */
export type FrameKind = 'Event' | 'Bookmark' | 'Error';

/** The destination of a watch's frames. */
export interface FrameSink {
  /**
   * Returns false if the watch should wait for its client.
   *
   * @param revision of an event; undefined for initial events, which have no order
   */
  write(frame: Uint8Array, kind: FrameKind, revision?: number): boolean;
  /** Ends a complete response. */
  end(): void;
  /** Whether frames wait in this sink, or in a sink behind it. */
  readonly isWithholding: boolean;
}

/** A running watch. */
export interface ServedWatch {
  /** Whether events or initial events wait for the network. */
  readonly isBehind: boolean;
  /** The client has all events up to this revision. Undefined until the client has the initial events. */
  readonly deliveredRevision: number | undefined;
  /** Inserts a sink in front of the current one. */
  intercept(wrap: (sink: FrameSink) => FrameSink): void;
  /** Returns the frame of a bookmark. Returns undefined for a client that wants none. */
  encodeBookmark(revision: number): Uint8Array | undefined;
  /** Ends the watch, with a last bookmark if the client wants bookmarks. */
  end(): void;
  /** Ends the watch with an ERROR event. */
  fail(error: StatusError): void;
}
