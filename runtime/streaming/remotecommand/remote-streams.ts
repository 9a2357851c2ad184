import type { Readable, Writable } from 'node:stream';

/** Which streams a client asks for. (remotecommand.Options) */
export interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never with a terminal, which has one output. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** How a command ended. */
export interface CommandStatus {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

/** The streams of a client that runs a command, whatever they are sent over. (remotecommand.connectionContext) */
export interface RemoteStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** JSON, one object after the other, with the size of the terminal. */
  readonly resize: Readable | undefined;
  /** Tells the client how the command ended, in the form that it expects, and ends the connection. */
  finish(status: CommandStatus): Promise<void>;
  /** Resolves when the connection is closed, for whatever reason. */
  readonly closed: Promise<void>;
}

/** @param why as an error of Go */
export const nonZeroExit = (code: number, why: string): CommandStatus => ({
  status: 'Failure',
  reason: 'NonZeroExitCode',
  message: `command terminated with non-zero exit code: ${why}`,
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/** What clients since v4 are told: a Status. Those before get only the message of a failure. (v4WriteStatusFunc, v1WriteStatusFunc) */
export function statusText(status: CommandStatus, isJson: boolean): Buffer {
  if (isJson) return Buffer.from(JSON.stringify({ metadata: {}, ...status }));
  return Buffer.from(status.status === 'Success' ? '' : (status.message ?? ''));
}
