/** The destination of the log's lines. */
export interface LogOutput {
  /** Writes lines synchronously. @throws Error if some lines are not written, for example because the disk is full */
  writeSync(lines: readonly Buffer[]): void;
  /** Writes lines without blocking. The caller waits for each call before the next one. */
  write(lines: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
}

/** Writes to a stream such as standard output, which accepts lines at once and reports errors later. */
export class StreamOutput implements LogOutput {
  readonly #stream: NodeJS.WritableStream;
  #error: Error | undefined;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on('error', this.#onError);
  }

  readonly #onError = (error: Error): void => {
    this.#error = error;
  };

  writeSync(lines: readonly Buffer[]): void {
    const error = this.#error;
    this.#error = undefined;
    this.#stream.write(Buffer.concat(lines));
    if (error !== undefined) throw error;
  }

  write(lines: readonly Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(Buffer.concat(lines), (error?: Error | null) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#stream.removeListener('error', this.#onError);
  }
}
