/** The names of gRPC's status codes, by number. */
const codeNames: readonly string[] = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
];

/** A gRPC call failed. */
export class GRPCError extends Error {
  /** For example `Unavailable`. */
  readonly code: string;
  readonly description: string;
  /** Whether the server certainly did nothing: it refused the call, or the call was not sent. */
  readonly isRefused: boolean;

  constructor(code: string, description: string, isRefused = false) {
    super(`rpc error: code = ${code} desc = ${description}`);
    this.code = code;
    this.description = description;
    this.isRefused = isRefused;
  }
}

/** Returns the error in the trailers of a response; undefined for success. */
export function statusError(status: unknown, message: unknown): GRPCError | undefined {
  if (status === '0') return undefined;
  const number = typeof status === 'string' && /^\d+$/.test(status) ? Number(status) : -1;
  if (number < 0) return new GRPCError('Unknown', 'the response has no grpc-status');
  return new GRPCError(codeNames[number] ?? `Code(${number})`, decodeMessage(message));
}

/** @param where the step at which the deadline passed, if it is worth reporting */
export const deadlineExceeded = (where = ''): GRPCError =>
  new GRPCError('DeadlineExceeded', `context deadline exceeded${where === '' ? '' : ` ${where}`}`);

function decodeMessage(message: unknown): string {
  if (typeof message !== 'string') return '';
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
