import { declare, type Library, member } from '../checker/declarations.ts';
import { boolType, stringType, structType, type Type } from '../types/type.ts';
import { CelError, type Value } from '../values/value.ts';

/** What an expression asks an authorizer. Of a path only `path` is given, of a resource all but that. */
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
  /** Asked for this service account instead of the requester. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** Why it could not be told. */
  readonly error?: string;
}

/** Decides, at once, for the requester it was made for. */
export interface ExpressionAuthorizer {
  authorize(query: AuthorizationQuery): AuthorizationAnswer;
}

const name = (kind: string): Type => structType(`kubernetes.authorization.${kind}`);

export const authorizerType = name('Authorizer');
export const pathCheckType = name('PathCheck');
export const groupCheckType = name('GroupCheck');
export const resourceCheckType = name('ResourceCheck');
export const decisionType = name('Decision');

export const authorizerTypeNames: ReadonlySet<string> = new Set(
  [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType].map((type) => type.name),
);

type Query = Partial<AuthorizationQuery>;

/** A question as far as it has been put together. */
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
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    this.answer = answer;
  }

  equals(other: Value): boolean | undefined {
    return other instanceof DecisionValue ? other === this : undefined;
  }
}

/** The value of the variable `authorizer`. */
export const authorizerValue = (authorizer: ExpressionAuthorizer): Value => new QueryValue(authorizerType, authorizer);

/** The value of `authorizer.requestResource`: what the request is about, but its verb. */
export function requestResourceValue(
  authorizer: ExpressionAuthorizer,
  resource: Pick<AuthorizationQuery, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): Value {
  return new QueryValue(resourceCheckType, authorizer, resource);
}

function refine(id: string, from: Type, to: Type, field: keyof Query, required = false) {
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

function ask(field: string, result: Type, of: (answer: AuthorizationAnswer) => Value) {
  return declare(field, [
    member(`decision_${field}`, [decisionType], result, (value) => of((value as DecisionValue).answer)),
  ]);
}

/** Authorization checks. (apiserver pkg/cel/library/authz.go) */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', [refine('authorizer_path', authorizerType, pathCheckType, 'path', true)]),
    declare('group', [refine('authorizer_group', authorizerType, groupCheckType, 'group')]),
    declare('serviceAccount', [
      member(
        'authorizer_serviceaccount',
        [authorizerType, stringType, stringType],
        authorizerType,
        (value, space, own) => {
          if ((own as string).length > 253 || !subdomain.test(own as string)) {
            return new CelError('Invalid service account name');
          }
          if ((space as string).length > 63 || !label.test(space as string)) {
            return new CelError('Invalid service account namespace');
          }
          const serviceAccount = { namespace: space as string, name: own as string };
          return (value as QueryValue).with(authorizerType, { serviceAccount });
        },
      ),
    ]),
    declare('resource', [refine('groupcheck_resource', groupCheckType, resourceCheckType, 'resource', true)]),
    declare('subresource', [refine('resourcecheck_subresource', resourceCheckType, resourceCheckType, 'subresource')]),
    declare('namespace', [refine('resourcecheck_namespace', resourceCheckType, resourceCheckType, 'namespace')]),
    declare('name', [refine('resourcecheck_name', resourceCheckType, resourceCheckType, 'name')]),
    declare('fieldSelector', [
      refine('authorizer_fieldselector', resourceCheckType, resourceCheckType, 'fieldSelector'),
    ]),
    declare('labelSelector', [
      refine('authorizer_labelselector', resourceCheckType, resourceCheckType, 'labelSelector'),
    ]),
    declare('check', [check('pathcheck_check', pathCheckType), check('resourcecheck_check', resourceCheckType)]),
    ask('errored', boolType, ({ error }) => error !== undefined),
    ask('error', stringType, ({ error }) => error ?? ''),
    ask('allowed', boolType, ({ allowed }) => allowed),
    ask('reason', stringType, ({ reason }) => reason),
  ],
};
