import {
  type Authorizer,
  type AuthorizerAttributes,
  type AuthorizerDecision,
  alwaysAllow,
} from '../auth/authorizer.ts';
import type { ApiMiddleware } from '../http/context.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { quote } from '../machinery/quote.ts';
import { forbidden, internalError, type StatusError } from '../machinery/status.ts';
import type { UserInfo } from '../machinery/user-info.ts';

/** Lets the request pass if its user may do what it asks, or answers 403. */
export function withAuthorization(authorizer: Authorizer): ApiMiddleware {
  if (authorizer === alwaysAllow) return (_ctx, next) => next();
  return (ctx, next) => {
    const { requestInfo, user } = ctx.state;
    const attributes = attributesOf(requestInfo, user as UserInfo);
    const asked = authorizer.authorize(attributes);
    if (!(asked instanceof Promise)) {
      requireAllowed(asked, attributes);
      return next();
    }
    return asked.then((decided) => {
      requireAllowed(decided, attributes);
      return next();
    });
  };
}

function requireAllowed(
  { decision, reason, evaluationError }: AuthorizerDecision,
  attributes: AuthorizerAttributes,
): void {
  if (decision === 'allow') return;
  if (evaluationError !== undefined) throw internalError(evaluationError);
  throw forbiddenError(attributes, reason);
}

/** Member by member: spreading the request's info costs every request several times as much. */
function attributesOf(info: RequestInfo, user: UserInfo): AuthorizerAttributes {
  return {
    user,
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    path: info.path,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    fieldSelector: info.fieldSelector,
    labelSelector: info.labelSelector,
  };
}

/** `pods "x" is forbidden: User "jane" cannot get resource "pods" in API group "" in the namespace "n"`. */
export function forbiddenError(attributes: AuthorizerAttributes, reason: string): StatusError {
  const what = harmless(describe(attributes));
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

/** A refusal shown by a browser must not be HTML. */
function harmless(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
