import type { ApiContext } from '../../../http/context.ts';
import type { RequestInfo } from '../../../http/request-info.ts';
import { conflict, StatusError, worded } from '../../../machinery/errors/status.ts';
import type { StatusFault } from '../fault-plan.ts';
import type { FaultAction } from './action.ts';

/** What clients make of a code without more. (apimachinery api/errors NewGenericServerResponse) */
const generic: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', 'forbidden'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  409: ['Conflict', 'the server reported a conflict'],
  410: ['Expired', 'The resourceVersion for the provided list is too old.'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

/** What an update is told that somebody else was faster than. (registry OptimisticLockErrorMsg) */
const optimisticLock = 'the object has been modified; please apply your changes to the latest version and try again';

const updates: ReadonlySet<string> = new Set(['update', 'patch', 'delete']);

/** Answers with an error. */
export class StatusAction implements FaultAction {
  readonly #fault: StatusFault;

  constructor(fault: StatusFault) {
    this.#fault = fault;
  }

  handle({ state }: ApiContext): never {
    const { reason, message, retryAfterSeconds } = this.#fault;
    const { status } = defaultError(this.#fault.code, state.requestInfo);
    throw worded({
      ...status,
      reason: reason ?? status.reason,
      message: message ?? status.message,
      ...(retryAfterSeconds === undefined ? {} : { details: { ...status.details, retryAfterSeconds } }),
    });
  }
}

function defaultError(code: number, info: RequestInfo): StatusError {
  if (code === 409 && updates.has(info.verb)) return conflict(info, info.name, optimisticLock);
  const [reason, message] = genericOf(code, info);
  const { name, group, resource } = info;
  const details = { ...(name && { name }), ...(group && { group }), ...(resource && { kind: resource }) };
  return new StatusError({ code, reason, message, details });
}

function genericOf(code: number, { verb }: RequestInfo): readonly [reason: string, message: string] {
  const known = generic[code];
  if (code === 409 && verb === 'create') return ['AlreadyExists', known[1]];
  if (known !== undefined) return known;
  if (code >= 500) return ['InternalError', 'an error on the server ("") has prevented the request from succeeding'];
  return ['Unknown', `the server responded with the status code ${code} but did not return more information`];
}
