import type { Attributes } from '../machinery/admission.ts';
import { forbidden, type StatusCause, type StatusError } from '../machinery/errors/status.ts';
import { isNotReadyError } from '../resources/lister.ts';

/**
 * Returns the error of a plugin that refuses a write, with the object's name if it has one. (apiserver
 * pkg/admission/errors.go NewForbidden)
 */
export function newForbidden(attributes: Attributes, message: string, causes?: StatusCause[]): StatusError {
  const { definition, name, object } = attributes;
  const { metadata } = object ?? {};
  return forbidden(definition, name || metadata?.name || metadata?.generateName || 'Unknown', message, causes);
}

/**
 * Returns the client's error for a plugin that cannot start: 403 if the cause is temporary. (admission.Handler
 * WaitForReady)
 */
export const forbiddenIfNotReady = (attributes: Attributes, error: unknown): unknown =>
  isNotReadyError(error) ? newForbidden(attributes, 'not yet ready to handle request') : error;
