/** The user of a request. (apiserver pkg/authentication/user) */
export interface UserInfo {
  readonly name: string;
  /** "" if the credentials have none. */
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const anonymousUserName = 'system:anonymous';
/** The group of all users whose credentials were accepted. */
export const authenticatedGroup = 'system:authenticated';
/** The group of all other users. */
export const unauthenticatedGroup = 'system:unauthenticated';
/** The group that every authorizer allows everything. */
export const privilegedGroup = 'system:masters';

/** The key of the extra that tells apart the credentials of one user. (apiserver user.CredentialIDKey) */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** The prefix of the user names of service accounts. (apiserver pkg/authentication/serviceaccount/util.go) */
export const serviceAccountPrefix = 'system:serviceaccount:';

export const serviceAccountUserName = (namespace: string, name: string): string => `${serviceAccountPrefix}${namespace}:${name}`;

/** The groups of every service account of a namespace. */
export const serviceAccountGroups = (namespace: string): string[] => ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
