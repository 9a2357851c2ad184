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
  prepareForUpdate(request, old, _context, part) {
    request.spec = old.spec;
    // approval and issuing are two hands' work
    if (part !== 'status') return;
    const approvals = (old.status?.conditions ?? []).filter(isApproval);
    const others = (request.status?.conditions ?? []).filter((condition: { type: string }) => !isApproval(condition));
    request.status = { ...request.status, conditions: [...approvals, ...others] };
    if (request.status.conditions.length === 0) delete request.status.conditions;
  },
};

function isApproval({ type }: { type: string }): boolean {
  return type === 'Approved' || type === 'Denied';
}
