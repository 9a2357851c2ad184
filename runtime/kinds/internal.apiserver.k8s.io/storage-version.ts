import type { KubeObject, Part } from '../../machinery/object.ts';

/** As `apiserver-1=apps/v1,apiserver-2=apps/v1`, three at most. */
export function storageVersionList({ status }: KubeObject): string {
  const all: readonly string[] = (status?.storageVersions ?? []).map(
    ({ apiServerID, encodingVersion }: Part) => `${apiServerID ?? ''}=${encodingVersion ?? ''}`,
  );
  if (all.length === 0) return '<unset>';
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...` : all.join(',');
}
