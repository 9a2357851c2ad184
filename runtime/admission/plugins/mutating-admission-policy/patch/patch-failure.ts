/** A mutation that cannot be applied. The policy's failurePolicy decides about the write. */
export class PatchFailure extends Error {
  readonly isPatchFailure = true;
}

export const isPatchFailure = (error: unknown): error is PatchFailure => (error as PatchFailure | undefined)?.isPatchFailure === true;
