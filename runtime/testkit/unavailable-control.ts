/** The server was started with options that do not go with what a test wants of it. */
export class UnavailableControlError extends Error {}
