import { RefusedRequest } from '../machinery/errors/refused-request.ts';
import { forbidden, internalError, type StatusError } from '../machinery/errors/status.ts';
import { quote } from '../machinery/go/quote.ts';
import type { AuthorizerAttributes, AuthorizerDecision } from './authorizer.ts';

/** Returns the answer of a filter to a request that is not allowed. */
export const refusedRequest = (attributes: AuthorizerAttributes, reason: string): RefusedRequest =>
  new RefusedRequest(forbiddenError(attributes, reason).status);

/** @throws StatusError 403; 500 if the authorizer failed */
export function requireAllowed({ decision, reason, evaluationError }: AuthorizerDecision, attributes: AuthorizerAttributes): void {
  if (decision === 'allow') return;
  if (evaluationError !== undefined) throw internalError(evaluationError);
  throw forbiddenError(attributes, reason);
}

/** Returns `pods "x" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "n"`. */
export function forbiddenError(attributes: AuthorizerAttributes, reason: string): StatusError {
  const what = escapeHtml(describe(attributes));
  const why = reason === '' ? what : `${what}: ${reason}`;
  return forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, why);
}

function describe(attributes: AuthorizerAttributes): string {
  const { verb, path, group, resource, subresource, namespace } = attributes;
  const head = `User ${quote(attributes.user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${head} path ${quote(path)}`;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  return `${head} resource ${quote(full)} in API group ${quote(group)} ${where}`;
}

/** Escapes HTML, because a browser may show the error. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
