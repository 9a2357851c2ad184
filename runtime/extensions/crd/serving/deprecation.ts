import { compareVersions } from '../../../machinery/kube-versions.ts';
import type { CustomResourceDefinition, Version } from '../api-helpers.ts';

/** What users of a deprecated version are told. (customresource_handler.go defaultDeprecationWarning) */
export function deprecationWarning({ spec }: CustomResourceDefinition, version: Version): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = spec;
  const [better] = versions
    .filter(({ name, served, deprecated }) => served && !deprecated && compareVersions(version.name, name) < 0)
    .map(({ name }) => name)
    .sort((a, b) => compareVersions(b, a));
  const what = `${group}/${version.name} ${names.kind} is deprecated`;
  return better === undefined ? what : `${what}; use ${group}/${better} ${names.kind}`;
}
