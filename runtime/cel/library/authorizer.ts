import { declare, type Library, member } from '../checker/declarations.ts';
import { boolType, stringType, structType, type Type } from '../types/type.ts';
import { CelError, type Value } from '../values/value.ts';

/** The attributes of an authorization check: `path` for a non-resource check, all the others for a resource check. */
export interface AuthorizationQuery {
  readonly verb: string;
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** The service account to check instead of the requester. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error of a failed check. */
  readonly error?: string | undefined;
}

/** Authorizes requests of one requester, synchronously. */
export interface ExpressionAuthorizer {
  authorize(query: AuthorizationQuery): AuthorizationDecision;
}

const authorizationType = (kind: string): Type => structType(`kubernetes.authorization.${kind}`);

export const authorizerType = authorizationType('Authorizer');
const pathCheckType = authorizationType('PathCheck');
const groupCheckType = authorizationType('GroupCheck');
export const resourceCheckType = authorizationType('ResourceCheck');
const decisionType = authorizationType('Decision');

export const authorizerTypeNames: ReadonlySet<string> = new Set(
  [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType].map((type) => type.name),
);

type Query = Partial<AuthorizationQuery>;

/** An authorization check with the attributes set so far. */
class QueryValue {
  readonly tag = 'opaque';
  readonly type: Type;
  readonly authorizer: ExpressionAuthorizer;
  readonly query: Query;

  constructor(type: Type, authorizer: ExpressionAuthorizer, query: Query = {}) {
    this.type = type;
    this.authorizer = authorizer;
    this.query = query;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof QueryValue ? other === this : undefined;
  }

  with(type: Type, query: Query): QueryValue {
    return new QueryValue(type, this.authorizer, { ...this.query, ...query });
  }
}

class DecisionValue {
  readonly tag = 'opaque';
  readonly type = decisionType;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    this.decision = decision;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof DecisionValue ? other === this : undefined;
  }
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (authorizer: ExpressionAuthorizer): Value => new QueryValue(authorizerType, authorizer);

/** The value of the variable `authorizer.requestResource`. */
export const resourceCheckValue = (
  authorizer: ExpressionAuthorizer,
  resource: Pick<AuthorizationQuery, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): Value => new QueryValue(resourceCheckType, authorizer, resource);

/** Sets an attribute of a check. */
function setter(id: string, [from, to]: readonly [Type, Type], field: keyof Query, required = false) {
  return member(id, [from, stringType], to, (value, text) =>
    required && (text as string).trim() === ''
      ? new CelError(`${field} must not be empty`)
      : (value as QueryValue).with(to, { [field]: text }),
  );
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const check = (id: string, type: Type) =>
  member(id, [type, stringType], decisionType, (value, verb) => {
    const { authorizer, query } = value as QueryValue;
    return new DecisionValue(authorizer.authorize({ ...query, verb: verb as string }));
  });

function decisionField(field: string, result: Type, of: (decision: AuthorizationDecision) => Value) {
  return declare(field, [member(`decision_${field}`, [decisionType], result, (value) => of((value as DecisionValue).decision))]);
}

/** Authorization checks. (apiserver pkg/cel/library/authz.go) */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', [setter('authorizer_path', [authorizerType, pathCheckType], 'path', true)]),
    declare('group', [setter('authorizer_group', [authorizerType, groupCheckType], 'group')]),
    declare('serviceAccount', [
      member('authorizer_serviceaccount', [authorizerType, stringType, stringType], authorizerType, (value, namespace, name) => {
        if ((name as string).length > 253 || !subdomain.test(name as string)) {
          return new CelError('Invalid service account name');
        }
        if ((namespace as string).length > 63 || !label.test(namespace as string)) {
          return new CelError('Invalid service account namespace');
        }
        const serviceAccount = { namespace: namespace as string, name: name as string };
        return (value as QueryValue).with(authorizerType, { serviceAccount });
      }),
    ]),
    declare('resource', [setter('groupcheck_resource', [groupCheckType, resourceCheckType], 'resource', true)]),
    declare('subresource', [setter('resourcecheck_subresource', [resourceCheckType, resourceCheckType], 'subresource')]),
    declare('namespace', [setter('resourcecheck_namespace', [resourceCheckType, resourceCheckType], 'namespace')]),
    declare('name', [setter('resourcecheck_name', [resourceCheckType, resourceCheckType], 'name')]),
    declare('fieldSelector', [setter('authorizer_fieldselector', [resourceCheckType, resourceCheckType], 'fieldSelector')]),
    declare('labelSelector', [setter('authorizer_labelselector', [resourceCheckType, resourceCheckType], 'labelSelector')]),
    declare('check', [check('pathcheck_check', pathCheckType), check('resourcecheck_check', resourceCheckType)]),
    decisionField('errored', boolType, ({ error }) => error !== undefined),
    decisionField('error', stringType, ({ error }) => error ?? ''),
    decisionField('allowed', boolType, ({ allowed }) => allowed),
    decisionField('reason', stringType, ({ reason }) => reason),
  ],
};
