import type * as authentication from '../../../generated/v1.35/authentication.k8s.io/v1/types.ts';
import type { UserInfo } from '../../machinery/user-info.ts';

/** Returns the user in the form of API objects, without empty members. */
export function toUserInfo({ name, uid, groups, extra }: UserInfo): authentication.UserInfo {
  const entries = Object.entries(extra).map(([key, values]) => [key, [...values]]);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}
