import type { Readable, Writable } from 'node:stream';

/** The streams that a client requests. (remotecommand.Options) */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never true with a terminal, whose output is stdout. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The result of a command. */
export interface CommandStatus {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

/** The streams of a client that runs a command, over any transport. (remotecommand.connectionContext) */
export interface RemoteStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Terminal sizes as successive JSON objects. */
  readonly resize: Readable | undefined;
  /** Sends the result in the format of the client's protocol, and ends the connection. */
  finish(status: CommandStatus): Promise<void>;
  /** Resolves when the connection is closed for any reason. */
  readonly closed: Promise<void>;
}

/** @param why the text of Go's error */
export const nonZeroExit = (code: number, why: string): CommandStatus => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: `command terminated with non-zero exit code: ${why}`,
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/**
 * Returns a Status for clients since v4. Older clients get only the message of a failure. (v4WriteStatusFunc,
 * v1WriteStatusFunc)
 */
export function statusText(status: CommandStatus, isJson: boolean): Buffer {
  if (isJson) return Buffer.from(JSON.stringify({ metadata: {}, ...status }));
  return Buffer.from(status.status === 'Success' ? '' : (status.message ?? ''));
}
