/** Why a mutation cannot be applied: an error of the policy, which its failurePolicy decides about. */
export class PatchFailure extends Error {
  readonly isPatchFailure = true;
}

export const isPatchFailure = (error: unknown): error is PatchFailure => (error as PatchFailure | undefined)?.isPatchFailure === true;
