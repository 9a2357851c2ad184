import { quote, quoteExcerpt } from '../go/quote.ts';
import { GoStruct } from '../go/value.ts';
import { formatGroupResource, type GroupResource } from '../gvk.ts';
import { maxExcerptLength, maxReportedErrors } from '../limits.ts';
import { type FieldError, fieldErrorBody } from '../validation/field-error.ts';
import { excerpt } from './excerpt.ts';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** metav1.Status in its JSON shape. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { resourceVersion?: string; continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

/** The maximum length of a message, in UTF-16 units. It keeps the response small for any request. */
const maxMessageLength = 32 * 1024;

/** The maximum length of all causes of a 422 together, in UTF-16 units, without Go structs. */
const maxCausesLength = 16 * 1024;

/**
 * The maximum length of all Go structs in a 422 together, in UTF-16 units. The first structs are shown whole, if they
 * fit.
 */
const maxStructsLength = 8 * 1024;

/**
 * The error that every layer throws for the client to see. Only the functions below construct it, one for each reason.
 * (apimachinery pkg/api/errors/errors.go)
 */
export class StatusError extends Error {
  readonly isStatusError = true;
  readonly status: Status;

  constructor(status: Omit<Status, 'kind' | 'apiVersion' | 'metadata' | 'status'> & { metadata?: Status['metadata'] }) {
    super(status.message === undefined ? undefined : excerpt(status.message, maxMessageLength));
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
    if (status.message !== undefined) this.status.message = this.message;
  }
}

/** Returns the causes up to the limits, but at least one. */
function firstCauses(causes: Iterable<StatusCause>): StatusCause[] {
  const reported: StatusCause[] = [];
  let length = 0;
  for (const cause of causes) {
    if (reported.length === maxReportedErrors || length > maxCausesLength) break;
    reported.push(cause.field === undefined ? cause : { ...cause, field: excerpt(cause.field) });
    length += (cause.message?.length ?? 0) + (cause.field?.length ?? 0);
  }
  return reported;
}

/** Returns the causes of errors, with the limits of firstCauses. Go structs have a limit of their own. */
function causesOf(errors: readonly FieldError[]): StatusCause[] {
  const reported: StatusCause[] = [];
  let length = 0;
  let structs = maxStructsLength;
  for (const error of errors) {
    if (reported.length === maxReportedErrors || length > maxCausesLength) break;
    const message = fieldErrorBody(error, Math.max(structs, maxExcerptLength));
    reported.push({ reason: error.type, message, ...(error.field === '' ? {} : { field: excerpt(error.field) }) });
    if (error.badValue instanceof GoStruct && structs > 0) structs -= message.length;
    else length += message.length + error.field.length;
  }
  return reported;
}

/** Checks a brand, because `instanceof` fails between realms, as under jest. */
export function isStatusError(error: unknown): error is StatusError {
  return typeof error === 'object' && error !== null && (error as StatusError).isStatusError === true;
}

/** Reports whether an error is a response with one of these codes, as 404 or 409. */
export const hasStatusCode = (error: unknown, ...codes: readonly number[]): boolean =>
  isStatusError(error) && codes.includes(error.status.code);

const detailsOf = ({ group, resource }: GroupResource, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name: excerpt(name) }),
  ...(group === '' ? {} : { group }),
  ...(resource === '' ? {} : { kind: resource }),
});

export const badRequest = (message: string): StatusError => new StatusError({ message, reason: 'BadRequest', code: 400 });

export const unauthorized = (message = 'Unauthorized'): StatusError => new StatusError({ message, reason: 'Unauthorized', code: 401 });

export function forbidden(resource: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError {
  const what = formatGroupResource(resource);
  const message =
    what === '' ? `forbidden: ${why}` : name === '' ? `${what} is forbidden: ${why}` : `${what} ${quoteExcerpt(name)} is forbidden: ${why}`;
  const details = { ...detailsOf(resource, name), ...(causes ? { causes } : {}) };
  return new StatusError({ message, reason: 'Forbidden', details, code: 403 });
}

export const notFound = (resource: GroupResource, name: string): StatusError =>
  new StatusError({
    message: `${formatGroupResource(resource)} ${quoteExcerpt(name)} not found`,
    reason: 'NotFound',
    details: detailsOf(resource, name),
    code: 404,
  });

/** A path that no handler serves. */
export const pathNotFound = (): StatusError =>
  new StatusError({
    message: 'the server could not find the requested resource',
    reason: 'NotFound',
    details: {},
    code: 404,
  });

export const methodNotAllowed = (resource: GroupResource, verb: string): StatusError =>
  new StatusError({
    message: `${verb} is not supported on resources of kind ${quote(formatGroupResource(resource))}`,
    reason: 'MethodNotAllowed',
    details: detailsOf(resource, ''),
    code: 405,
  });

/** A method that the path does not support for any resource. (NewGenericServerResponse) */
export const pathMethodNotAllowed = (): StatusError =>
  new StatusError({
    message: 'the server does not allow this method on the requested resource',
    reason: 'MethodNotAllowed',
    details: {},
    code: 405,
  });

/** An Accept header that a path does not support for any resource. (NewGenericServerResponse, go-restful) */
export const routeNotAcceptable = (produced: readonly string[]): StatusError =>
  new StatusError({
    message: `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
    reason: 'NotAcceptable',
    details: {},
    code: 406,
  });

/** A Content-Type that a path does not support for any resource. (NewGenericServerResponse, go-restful) */
export const routeUnsupportedMediaType = (): StatusError =>
  new StatusError({
    message: '415: Unsupported Media Type',
    reason: 'UnsupportedMediaType',
    details: {},
    code: 415,
  });

export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError({
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
    reason: 'NotAcceptable',
    code: 406,
  });

/** A transformation that does not fit the response, as a list requested as a single object. */
export const notTransformable = (message: string): StatusError => new StatusError({ message, reason: 'NotAcceptable', code: 406 });

export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  new StatusError({
    message: `${formatGroupResource(resource)} ${quoteExcerpt(name)} already exists`,
    reason: 'AlreadyExists',
    details: detailsOf(resource, name),
    code: 409,
  });

/** All generated names were taken. */
export const generateNameConflict = (resource: GroupResource, name: string, retryAfterSeconds: number): StatusError =>
  new StatusError({
    message: `${formatGroupResource(resource)} ${quoteExcerpt(name)} already exists, the server was not able to generate a unique name for the object`,
    reason: 'AlreadyExists',
    details: { ...detailsOf(resource, name), retryAfterSeconds },
    code: 409,
  });

/** Returns the same error with words before its message. */
export const prefixed = (words: string, { status }: StatusError): StatusError =>
  new StatusError({ ...status, message: `${words}: ${status.message}` });

export const conflict = (resource: GroupResource, name: string, why: string): StatusError =>
  new StatusError({
    message: `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${quoteExcerpt(name)}: ${why}`,
    reason: 'Conflict',
    details: detailsOf(resource, name),
    code: 409,
  });

/** Server-side apply: the message counts the conflicts, the causes name the fields. */
export const applyConflict = (causes: StatusCause[], message: string): StatusError =>
  new StatusError({ message, reason: 'Conflict', details: { causes: firstCauses(causes) }, code: 409 });

export const gone = (message: string): StatusError => new StatusError({ message, reason: 'Gone', code: 410 });

/**
 * The resourceVersion or continue token is older than the retained history. `continueToken` starts an inconsistent
 * list.
 */
export const resourceExpired = (message: string, continueToken?: string): StatusError =>
  new StatusError({
    message,
    reason: 'Expired',
    code: 410,
    ...(continueToken === undefined ? {} : { metadata: { continue: continueToken } }),
  });

export const requestEntityTooLarge = (message: string): StatusError =>
  new StatusError({ message, reason: 'RequestEntityTooLarge', code: 413 });

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError({
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    reason: 'UnsupportedMediaType',
    code: 415,
  });

/**
 * `kind` is the Kind and not the plural, as upstream. At most `maxReportedErrors` errors are listed, and fewer if they
 * are long. The message then ends with the number of errors left out.
 */
export function invalid(kind: { group: string; kind: string }, name: string, errors: readonly FieldError[]): StatusError {
  const causes = causesOf(errors);
  const what = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const head = `${what} ${quoteExcerpt(name)} is invalid`;
  const unique = [...new Set(causes.map(({ field, message }) => `${field ?? ''}: ${message}`))];
  const more = errors.length - causes.length;
  const list = unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`;
  const status = {
    message: errors.length === 0 ? head : `${head}: ${list}${more === 0 ? '' : `; and ${more} more`}`,
    reason: 'Invalid',
    details: {
      ...(name === '' ? {} : { name: excerpt(name) }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      ...(kind.kind === '' ? {} : { kind: kind.kind }),
      ...(causes.length === 0 ? {} : { causes }),
    },
    code: 422,
  };
  return new StatusError(status);
}

/** A body that was parsed but cannot be applied: a failing test of a JSON patch. */
export const unprocessable = (resource: GroupResource, name: string, message: string): StatusError =>
  new StatusError({ message, reason: 'Invalid', details: detailsOf(resource, name), code: 422 });

export const tooManyRequests = (message: string, retryAfterSeconds: number): StatusError =>
  new StatusError({ message, reason: 'TooManyRequests', details: { retryAfterSeconds }, code: 429 });

export const internalError = (message: string): StatusError =>
  new StatusError({
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message: excerpt(message, maxCausesLength) }] },
    code: 500,
  });

/**
 * An error with the words of an external service, as of a webhook that refuses a write. Too long parts are left out.
 */
export const worded = ({ details, ...status }: Pick<Status, 'message' | 'reason' | 'details' | 'code'>): StatusError =>
  new StatusError({
    ...status,
    ...(details && { details: { ...details, ...(details.causes && { causes: firstCauses(details.causes) }) } }),
  });

/** An error that upstream returns unchanged: a 500 without a reason. */
export const plainError = (message: string): StatusError => new StatusError({ message, code: 500 });

/** The message of a write that etcd refuses for its size. (etcd ErrRequestTooLarge) */
export const requestIsTooLarge = 'etcdserver: request is too large';

/** Refuses a write whose object would certainly be too large, before the object is made. */
export const requestTooLarge = (): StatusError => plainError(requestIsTooLarge);

export const isRequestTooLarge = (error: unknown): boolean => isStatusError(error) && error.status.message === requestIsTooLarge;

export const serviceUnavailable = (message: string): StatusError => new StatusError({ message, reason: 'ServiceUnavailable', code: 503 });

export const timeout = (message: string, retryAfterSeconds: number, causes?: StatusCause[]): StatusError =>
  new StatusError({
    message: `Timeout: ${message}`,
    reason: 'Timeout',
    details: { ...(causes ? { causes } : {}), ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}) },
    code: 504,
  });

/**
 * Seconds after which a client should retry a read of a future revision. (cacher resourceVersionTooHighRetrySeconds)
 */
const tooLargeRetrySeconds = 1;

/** Shows the version with all its digits. (apiserver pkg/storage/errors.go NewTooLargeResourceVersionError) */
export const tooLargeResourceVersion = (version: string | number, current: number, retryAfter = tooLargeRetrySeconds): StatusError =>
  timeout(`Too large resource version: ${BigInt(version)}, current: ${current}`, retryAfter, [
    { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
  ]);
