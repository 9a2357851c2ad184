/** The server's options do not support a control that a test uses. */
export class UnavailableControlError extends Error {}
