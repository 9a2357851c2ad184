/** Where the lines of the log go. */
export interface LogOutput {
  /** Writes lines before it returns. @throws Error if not all lines are written, for example because the disk is full */
  writeSync(lines: readonly Buffer[]): void;
  /** As `writeSync`, without blocking. One call after the other; the caller waits. */
  write(lines: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
}

/** Writes to a stream such as standard output, which takes lines at once and reports errors later. */
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
