import { timeText } from '../../../machinery/scalars/time.ts';
import type { ResourceHooks } from '../../hooks.ts';

/** Who asks for a certificate is what the server saw, not what the request says. (pkg/registry/certificates/certificates) */
export const certificateSigningRequests: ResourceHooks = {
  prepareForCreate(request, { user }) {
    const spec = { ...request.spec };
    for (const field of ['username', 'uid', 'groups', 'extra']) delete spec[field];
    if (user.name !== '') spec.username = user.name;
    if (user.uid !== '') spec.uid = user.uid;
    if (user.groups.length > 0) spec.groups = [...user.groups];
    if (Object.keys(user.extra).length > 0) spec.extra = structuredClone(user.extra);
    request.spec = spec;
  },
  prepareForUpdate(request, old, { subresource, now }, part) {
    request.spec = old.spec;
    if (part === 'main') return;
    const asked: Condition[] = request.status?.conditions ?? [];
    const before: Condition[] = old.status?.conditions ?? [];
    if (subresource === 'approval') {
      request.status = { ...old.status, conditions: stamped(asked, before, now) };
    } else {
      // approval and issuing are two hands' work
      const conditions = [...before.filter(isApproval), ...asked.filter((condition) => !isApproval(condition))];
      request.status = { ...request.status, conditions: stamped(conditions, before, now) };
    }
    if (request.status.conditions.length === 0) delete request.status.conditions;
  },
};

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
}

const isApproval = ({ type }: Condition): boolean => type === 'Approved' || type === 'Denied';

/** Conditions say when they came and when they last changed. (populateConditionTimestamps) */
function stamped(conditions: readonly Condition[], before: readonly Condition[], now: number): Condition[] {
  const present = timeText(now);
  return conditions.map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime || present,
      lastTransitionTime: condition.lastTransitionTime || same?.lastTransitionTime || present,
    };
  });
}
