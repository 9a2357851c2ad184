import type { Part } from '../../machinery/object.ts';

/** (SetDefaults_CustomResourceDefinition, apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go) */
export function setDefinitionDefaults(definition: Part): void {
  const spec = definition.spec;
  if (!spec) return;
  const names = spec.names ?? {};
  if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  if (definition.status?.storedVersions?.length > 0) return;
  const storage = spec.versions?.find((version: Part) => version.storage);
  if (storage) definition.status = { ...definition.status, storedVersions: [storage.name] };
}
