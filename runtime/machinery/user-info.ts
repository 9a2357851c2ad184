/** Who makes a request. (apiserver pkg/authentication/user) */
export interface UserInfo {
  readonly name: string;
  /** "" where the credentials carry none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const anonymousUserName = 'system:anonymous';
/** Group of everybody whose credentials were accepted. */
export const authenticatedGroup = 'system:authenticated';
/** Group of everybody else. */
export const unauthenticatedGroup = 'system:unauthenticated';
/** Group that every authorizer lets do everything. */
export const privilegedGroup = 'system:masters';
