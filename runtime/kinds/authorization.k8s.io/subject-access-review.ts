import type * as authorization from '../../../generated/v1.35/authorization.k8s.io/v1/types.ts';
import type { Authorizer, AuthorizerAttributes } from '../../authorization/authorizer.ts';
import { badRequest, invalid } from '../../machinery/errors/status.ts';
import type { ObjectMeta } from '../../machinery/object.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { Field } from '../../machinery/validation/field.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy } from '../../resources/rest.ts';

/** Reviews of access. (pkg/registry/authorization, pkg/apis/authorization/validation) */

interface HasMetadata {
  metadata: ObjectMeta;
}
type SelfSubjectAccessReview = authorization.SelfSubjectAccessReview & HasMetadata;
/** LocalSubjectAccessReview has the same members. */
type SubjectAccessReview = authorization.SubjectAccessReview & HasMetadata;
type SelfSubjectRulesReview = authorization.SelfSubjectRulesReview & HasMetadata;

/** Whether the user of the request may do something. (selfsubjectaccessreview) */
export const newSelfSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SelfSubjectAccessReview, { user }): Promise<SelfSubjectAccessReview> {
    const { spec = {} } = review;
    const field = specField();
    validateSelfSubjectAccessReviewSpec(spec, field);
    throwIfInvalid(review, field);
    return { ...review, status: await authorize(authorizationAttributesFrom(spec, user), authorizer) };
  },
});

/** Whether some user may do something. (subjectaccessreview) */
export const newSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SubjectAccessReview): Promise<SubjectAccessReview> {
    const { spec = {} } = review;
    const field = specField();
    validateSubjectAccessReviewSpec(spec, field);
    throwIfInvalid(review, field);
    return { ...review, status: await authorize(authorizationAttributesFrom(spec, userOf(spec)), authorizer) };
  },
});

/** Whether some user may do something in the namespace of the request. (localsubjectaccessreview) */
export const newLocalSubjectAccessReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SubjectAccessReview, { namespace }): Promise<SubjectAccessReview> {
    const { spec = {} } = review;
    const field = specField();
    validateSubjectAccessReviewSpec(spec, field);
    if (spec.nonResourceAttributes !== undefined) {
      const detail = 'disallowed on this kind of request';
      field.child('nonResourceAttributes').invalid(spec.nonResourceAttributes, detail);
    }
    throwIfInvalid(review, field);
    if ((spec.resourceAttributes?.namespace ?? '') !== namespace) {
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
    }
    return { ...review, status: await authorize(authorizationAttributesFrom(spec, userOf(spec)), authorizer) };
  },
});

/** What the user of the request may do in a namespace. (selfsubjectrulesreview) */
export const newSelfSubjectRulesReviewStrategy = (authorizer: Authorizer): RESTStrategy => ({
  async create(review: SelfSubjectRulesReview, { user }) {
    const { namespace = '' } = review.spec ?? {};
    if (namespace === '') throw badRequest('no namespace on request');
    const rules = (await authorizer.rulesFor?.(user, namespace)) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'the authorizer does not support user rule resolution',
    };
    return { ...review, status: structuredClone(rules) };
  },
});

const specField = (): Field => Field.at(FieldPath.of('spec'), []);

function validateSelfSubjectAccessReviewSpec(
  { resourceAttributes, nonResourceAttributes }: authorization.SelfSubjectAccessReviewSpec,
  field: Field,
): void {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    field.child('nonResourceAttributes').invalid(nonResourceAttributes, detail);
  } else if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    field.child('resourceAttributes').invalid(resourceAttributes, detail);
  }
}

function validateSubjectAccessReviewSpec(spec: authorization.SubjectAccessReviewSpec, field: Field): void {
  validateSelfSubjectAccessReviewSpec(spec, field);
  const { user = '', groups = [] } = spec;
  if (user === '' && groups.length === 0) {
    field.child('user').invalid(user, 'at least one of user or group must be specified');
  }
}

/** Upstream's error names no kind, because it validates an internal object. */
function throwIfInvalid({ metadata }: HasMetadata, { errors }: Field): void {
  if (errors.length === 0) return;
  throw invalid({ group: 'authorization.k8s.io', kind: '' }, metadata?.name ?? '', errors);
}

const userOf = ({
  user: name = '',
  uid = '',
  groups = [],
  extra = {},
}: authorization.SubjectAccessReviewSpec): UserInfo => ({
  name,
  uid,
  groups,
  extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values])),
});

/** (pkg/registry/authorization/util/helpers.go) */
function authorizationAttributesFrom(
  { resourceAttributes, nonResourceAttributes }: authorization.SelfSubjectAccessReviewSpec,
  user: UserInfo,
): AuthorizerAttributes {
  if (resourceAttributes !== undefined) return resourceAttributesFrom(user, resourceAttributes);
  return {
    user,
    verb: nonResourceAttributes?.verb ?? '',
    path: nonResourceAttributes?.path ?? '',
    isResourceRequest: false,
    ...{ group: '', version: '', resource: '', subresource: '', namespace: '', name: '' },
  };
}

function resourceAttributesFrom(user: UserInfo, attributes: authorization.ResourceAttributes): AuthorizerAttributes {
  const { verb = '', group = '', version = '', resource = '', subresource = '' } = attributes;
  const { namespace = '', name = '', fieldSelector, labelSelector } = attributes;
  return {
    ...{ user, verb, group, resource, subresource, namespace, name },
    version: version === '' ? '*' : version,
    isResourceRequest: true,
    path: '',
    fieldSelector: fieldSelector?.rawSelector ?? '',
    labelSelector: labelSelector?.rawSelector ?? '',
  };
}

async function authorize(
  attributes: AuthorizerAttributes,
  authorizer: Authorizer,
): Promise<authorization.SubjectAccessReviewStatus> {
  const { decision, reason, evaluationError } = await authorizer.authorize(attributes);
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === undefined ? {} : { evaluationError }),
  };
}
