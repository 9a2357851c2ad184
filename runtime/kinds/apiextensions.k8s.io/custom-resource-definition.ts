import type { CustomResourceDefinition } from '../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

/** (SetDefaults_CustomResourceDefinition, apiextensions-apiserver pkg/apis/apiextensions/v1/defaults.go) */
export function setCustomResourceDefinitionDefaults(definition: Unvalidated<CustomResourceDefinition>): void {
  const spec = definition.spec;
  if (!spec) return;
  const names = spec.names ?? {};
  if (!names.singular && names.kind) names.singular = names.kind.toLowerCase();
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: 'None' };
  if (definition.status?.storedVersions?.length) return;
  const storage = spec.versions?.find((version) => version.storage);
  if (storage) definition.status = { ...definition.status, storedVersions: [storage.name ?? ''] };
}
