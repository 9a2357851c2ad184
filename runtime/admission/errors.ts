import type { Attributes } from '../machinery/admission.ts';
import { forbidden, type StatusCause, type StatusError } from '../machinery/errors/status.ts';
import { isNotReadyError } from '../resources/lister.ts';

/** The error of a plugin that refuses a write, about the object as far as it has a name. (apiserver pkg/admission/errors.go NewForbidden) */
export function newForbidden(attributes: Attributes, message: string, causes?: StatusCause[]): StatusError {
  const { definition, name, object } = attributes;
  const { metadata } = object ?? {};
  return forbidden(definition, name || metadata?.name || metadata?.generateName || 'Unknown', message, causes);
}

/** What a client is told if a plugin cannot be started: a 403 if that is a matter of time. (admission.Handler WaitForReady) */
export const forbiddenIfNotReady = (attributes: Attributes, error: unknown): unknown =>
  isNotReadyError(error) ? newForbidden(attributes, 'not yet ready to handle request') : error;
