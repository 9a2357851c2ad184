import type { AuthorizerAttributes, AuthorizerDecision } from '../../auth/authorizer.ts';
import { badRequest, invalid as invalidStatus } from '../../machinery/errors/status.ts';
import type { KubeObject, Part } from '../../machinery/object.ts';
import type { UserInfo } from '../../machinery/user-info.ts';
import { type FieldError, invalid } from '../../machinery/validation/field-error.ts';
import { FieldPath } from '../../machinery/validation/field-path.ts';
import type { RESTStrategy, WriteContext } from '../../resources/rest.ts';

const specPath = FieldPath.of('spec');

/** May I? (pkg/registry/authorization/selfsubjectaccessreview) */
export const selfSubjectAccessReviewStrategy: RESTStrategy = {
  async create(review, context) {
    const spec = review.spec ?? {};
    refuse(review, questionErrors(spec));
    return decide(review, attributesOf(spec, context.user), context);
  },
};

/** May they? (pkg/registry/authorization/subjectaccessreview) */
export const subjectAccessReviewStrategy: RESTStrategy = {
  async create(review, context) {
    const spec = review.spec ?? {};
    refuse(review, [...questionErrors(spec), ...subjectErrors(spec)]);
    return decide(review, attributesOf(spec, userOf(spec)), context);
  },
};

/** May they, in this namespace? (pkg/registry/authorization/localsubjectaccessreview) */
export const localSubjectAccessReviewStrategy: RESTStrategy = {
  async create(review, context) {
    const spec = review.spec ?? {};
    const errors = [...questionErrors(spec), ...subjectErrors(spec)];
    if (spec.nonResourceAttributes !== undefined) {
      const path = specPath.child('nonResourceAttributes');
      errors.push(invalid(path, spec.nonResourceAttributes, 'disallowed on this kind of request'));
    }
    refuse(review, errors);
    if ((spec.resourceAttributes?.namespace ?? '') !== context.namespace) {
      throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${context.namespace}`);
    }
    return decide(review, attributesOf(spec, userOf(spec)), context);
  },
};

/** What may I, in this namespace? (pkg/registry/authorization/selfsubjectrulesreview) */
export const selfSubjectRulesReviewStrategy: RESTStrategy = {
  async create(review, { user, stores }) {
    const namespace: string = review.spec?.namespace ?? '';
    if (namespace === '') throw badRequest('no namespace on request');
    const rules = (await stores.authorizer.rulesFor?.(user, namespace)) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'the authorizer does not support user rule resolution',
    };
    return { ...review, status: structuredClone(rules) };
  },
};

/** (pkg/apis/authorization/validation) */
function questionErrors({ resourceAttributes, nonResourceAttributes }: Part): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const why = 'cannot be specified in combination with resourceAttributes';
    return [invalid(specPath.child('nonResourceAttributes'), nonResourceAttributes, why)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid(specPath.child('resourceAttributes'), resourceAttributes, why)];
}

function subjectErrors({ user = '', groups = [] }: Part): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid(specPath.child('user'), user, 'at least one of user or group must be specified')];
}

const userOf = ({ user = '', uid = '', groups = [], extra = {} }: Part): UserInfo => ({
  name: user,
  uid,
  groups,
  extra: lowerKeys(extra),
});

function lowerKeys(extra: Readonly<Record<string, string[]>>): UserInfo['extra'] {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values]));
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: Part, user: UserInfo): AuthorizerAttributes {
  const { verb = '', group = '', version = '', resource = '', subresource = '' } = resourceAttributes ?? {};
  const { namespace = '', name = '', fieldSelector, labelSelector } = resourceAttributes ?? {};
  if (resourceAttributes !== undefined) {
    return {
      ...{ user, verb, group, resource, subresource, namespace, name },
      version: version === '' ? '*' : version,
      isResourceRequest: true,
      path: '',
      fieldSelector: fieldSelector?.rawSelector ?? '',
      labelSelector: labelSelector?.rawSelector ?? '',
    };
  }
  return {
    user,
    verb: nonResourceAttributes?.verb ?? '',
    path: nonResourceAttributes?.path ?? '',
    isResourceRequest: false,
    ...{ group: '', version: '', resource: '', subresource: '', namespace: '', name: '' },
  };
}

async function decide(
  review: KubeObject,
  attributes: AuthorizerAttributes,
  { stores }: WriteContext,
): Promise<KubeObject> {
  return { ...review, status: statusOf(await stores.authorizer.authorize(attributes)) };
}

function statusOf({ decision, reason, evaluationError }: AuthorizerDecision): Part {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === undefined ? {} : { evaluationError }),
  };
}

/** Upstream names no kind here: what it validates has lost it. */
function refuse(review: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw invalidStatus({ group: 'authorization.k8s.io', kind: '' }, review.metadata?.name ?? '', errors);
}
