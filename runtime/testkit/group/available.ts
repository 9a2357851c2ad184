import { badRequest } from '../../machinery/errors/status.ts';
import { UnavailableControlError } from '../unavailable-control.ts';

/** Runs a function that needs a control of the server. @throws StatusError 400 if the server lacks the control */
export function requireAvailable<T>(use: () => T): T {
  try {
    const used = use();
    return used instanceof Promise ? (used.catch(refuse) as T) : used;
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  throw error instanceof UnavailableControlError ? badRequest(error.message) : error;
}
