export interface GroupVersion {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupVersionResource extends GroupVersion, GroupResource {}

/** "v1" or "apps/v1", as written in `apiVersion`. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Reports whether a string formats the group-version, as `apps/v1` does. Compares without formatting, because every request calls it. */
export function isGroupVersion(text: unknown, { group, version }: GroupVersion): boolean {
  if (typeof text !== 'string' || group === '') return text === version;
  return (
    text.length === group.length + 1 + version.length && text[group.length] === '/' && text.startsWith(group) && text.endsWith(version)
  );
}

/** The inverse of formatGroupVersion. Returns undefined if there is more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  const [first = '', second, ...more] = apiVersion.split('/');
  if (second === undefined) return { group: '', version: first };
  return more.length === 0 ? { group: first, version: second } : undefined;
}

/** "pods" or "deployments.apps", as in Status messages and metrics. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** "apps/v1, Kind=Deployment" or "/v1, Kind=Pod", as in Go's messages. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/**
 * Reports whether the server always serves a kind. It does so for all kinds except custom resources.
 * (Scheme.Recognizes)
 */
export type RecognizesKind = (kind: GroupVersionKind) => boolean;
