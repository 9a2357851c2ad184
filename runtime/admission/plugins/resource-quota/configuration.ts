import { decodeConfiguration, listOf, type Reader, struct, type TypeMeta } from '../../../codec/configuration.ts';
import { aggregate } from '../../../machinery/errors/aggregate.ts';
import { DecodeError } from '../../../machinery/errors/decode-error.ts';
import { string } from '../../../machinery/prune/values.ts';
import type { LimitedResource } from '../../quota/check-request.ts';
import type { ScopeRequirement } from '../../quota/scopes.ts';

/** ResourceQuota's section of --admission-control-config-file. (apiserver pkg/admission/plugin/resourcequota/apis) */
interface Configuration extends TypeMeta {
  readonly limitedResources?: readonly LimitedResource[];
}

const strings: Reader<string[]> = (value, context, field) => context.list(value, field, '[]string', string) ?? [];

const requirement = struct<ScopeRequirement>('v1.ScopedResourceSelectorRequirement', {
  scopeName: string,
  operator: string,
  values: strings,
});

const limitedResource = struct<LimitedResource>('v1.LimitedResource', {
  apiGroup: string,
  resource: string,
  matchContains: strings,
  matchScopes: listOf('v1.ScopedResourceSelectorRequirement', requirement),
});

const configuration = struct<Configuration>('v1.Configuration', {
  apiVersion: string,
  kind: string,
  limitedResources: listOf('v1.LimitedResource', limitedResource),
});

const versions = { 'apiserver.config.k8s.io/v1': configuration };
const oldVersions = {
  'resourcequota.admission.k8s.io/v1beta1': configuration,
  'resourcequota.admission.k8s.io/v1alpha1': configuration,
};

/** @throws DecodeError for a file of another kind, or one that limits no resource */
export function decodeResourceQuotaConfiguration(bytes: Uint8Array): readonly LimitedResource[] {
  const { limitedResources = [] } = decodeConfiguration(
    bytes,
    { kind: 'ResourceQuotaConfiguration', versions },
    { kind: 'Configuration', versions: oldVersions },
  );
  const nameless = limitedResources.flatMap(({ resource }, index) =>
    resource ? [] : [`limitedResources[${index}].resource: Required value`],
  );
  if (nameless.length > 0) throw new DecodeError(aggregate(nameless));
  return limitedResources;
}
