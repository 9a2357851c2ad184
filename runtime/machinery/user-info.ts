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

/** What the names of service accounts as users begin with. (apiserver pkg/authentication/serviceaccount/util.go) */
export const serviceAccountPrefix = 'system:serviceaccount:';

export const serviceAccountUserName = (namespace: string, name: string): string =>
  `${serviceAccountPrefix}${namespace}:${name}`;

/** The groups that every service account of a namespace is in. */
export const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];
