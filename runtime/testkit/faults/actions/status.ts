import type { ApiContext } from '../../../http/context.ts';
import type { RequestInfo } from '../../../http/request-info.ts';
import { genericError } from '../../../machinery/errors/generic-error.ts';
import { conflict, StatusError, worded } from '../../../machinery/errors/status.ts';
import { defined } from '../../../machinery/json/defined.ts';
import type { StatusFault } from '../fault-plan.ts';
import type { FaultAction } from './action.ts';

/** The server's reason and message for codes without a meaningful default in clients. */
const ownWords: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  403: ['Forbidden', 'forbidden'],
  410: ['Expired', 'The resourceVersion for the provided list is too old.'],
};

/** The message for an update that lost a race. (registry OptimisticLockErrorMsg) */
const optimisticLock = 'the object has been modified; please apply your changes to the latest version and try again';

const updates: ReadonlySet<string> = new Set(['update', 'patch', 'delete']);

/** Responds with an error. */
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
      ...defined({ reason: reason ?? status.reason, message: message ?? status.message }),
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
  const [reason, message] = ownWords[code] ?? genericError(code, 'unknown');
  return [code === 409 && verb !== 'create' ? 'Conflict' : reason, message];
}
