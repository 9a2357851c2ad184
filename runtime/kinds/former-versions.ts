import type { PriorityLevelConfiguration } from '../../generated/v1.35/flowcontrol.apiserver.k8s.io/v1/types.ts';
import type { PodDisruptionBudget } from '../../generated/v1.35/policy/v1/types.ts';
import { isJsonObject, memberOf } from '../machinery/json/values.ts';
import type { Json, KubeObject } from '../machinery/object.ts';

/*
 * Versions that are no longer served, but at which old clusters may have stored objects. Their schemas equal those of a
 * served version. Excluded are extensions/v1beta1, and versions with other schemas: networking.k8s.io/v1beta1 Ingress,
 * discovery.k8s.io/v1beta1, autoscaling/v2beta1 and the alpha versions of rbac.authorization.k8s.io and node.k8s.io.
 */

/** The conversion of an object from a former version to the served version. */
export interface FormerVersion {
  /** The served version. */
  readonly apiVersion: string;
  /** Renames old fields before pruning. */
  rename?(value: Json): Json;
  /** Converts other differences. May change and return its argument. */
  convert?(object: KubeObject): KubeObject;
}

const served: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/v1alpha1': 'v1',
  'admissionregistration.k8s.io/v1beta1': 'v1',
  'apps/v1beta1': 'v1',
  'apps/v1beta2': 'v1',
  'autoscaling/v2beta2': 'v2',
  'batch/v1beta1': 'v1',
  'certificates.k8s.io/v1beta1': 'v1',
  'coordination.k8s.io/v1beta1': 'v1',
  'events.k8s.io/v1beta1': 'v1',
  'flowcontrol.apiserver.k8s.io/v1beta1': 'v1',
  'flowcontrol.apiserver.k8s.io/v1beta2': 'v1',
  'flowcontrol.apiserver.k8s.io/v1beta3': 'v1',
  'networking.k8s.io/v1beta1': 'v1',
  'node.k8s.io/v1beta1': 'v1',
  'policy/v1beta1': 'v1',
  'rbac.authorization.k8s.io/v1beta1': 'v1',
  'scheduling.k8s.io/v1alpha1': 'v1',
  'scheduling.k8s.io/v1beta1': 'v1',
  'storage.k8s.io/v1alpha1': 'v1',
  'storage.k8s.io/v1beta1': 'v1',
};

/** Returns undefined for other versions and kinds. */
export function formerVersion(apiVersion: string, kind: string): FormerVersion | undefined {
  const version = memberOf(served, apiVersion);
  if (version === undefined || (apiVersion === 'networking.k8s.io/v1beta1' && kind === 'Ingress')) return undefined;
  const [group] = apiVersion.split('/');
  const current = `${group}/${version}`;
  if (kind === 'PodDisruptionBudget') return { apiVersion: current, convert: convertBudget };
  if (kind !== 'PriorityLevelConfiguration') return { apiVersion: current };
  return { apiVersion: current, rename: renameShares, convert: convertPriorityLevel };
}

const matchLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** In v1beta1, an empty selector selects nothing. (pkg/apis/policy/v1beta1/conversion.go) */
function convertBudget(object: KubeObject): KubeObject {
  const { spec } = object as PodDisruptionBudget;
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (spec?.selector === undefined) return object;
  const others = matchExpressions.filter(({ key }) => key !== matchLabel);
  const isEmpty = Object.keys(matchLabels).length === 0;
  if (isEmpty && matchExpressions.length === 0) {
    spec.selector = { matchExpressions: [{ key: matchLabel, operator: 'Exists' }] };
  } else if (others.length < matchExpressions.length) {
    spec.selector = {
      ...(isEmpty ? {} : { matchLabels }),
      ...(others.length === 0 ? {} : { matchExpressions: others }),
    };
  }
  return object;
}

const keepZero = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** Zero shares meant the default, unless an annotation said otherwise. (pkg/apis/flowcontrol/v1beta3) */
function convertPriorityLevel(object: KubeObject): KubeObject {
  const { metadata, spec } = object as PriorityLevelConfiguration;
  const { [keepZero]: kept, ...annotations } = metadata.annotations ?? {};
  if (kept === undefined && spec?.limited?.nominalConcurrencyShares === 0) delete spec.limited.nominalConcurrencyShares;
  if (kept === undefined) return object;
  const isEmpty = Object.keys(annotations).length === 0;
  return Object.assign(object, { metadata: { ...metadata, annotations: isEmpty ? undefined : annotations } });
}

/** (v1beta1 and v1beta2) */
function renameShares(value: Json): Json {
  const spec = isJsonObject(value) ? value.spec : undefined;
  const limited = isJsonObject(spec) ? spec.limited : undefined;
  if (!isJsonObject(value) || !isJsonObject(spec) || !isJsonObject(limited)) return value;
  const { assuredConcurrencyShares: shares, ...rest } = limited;
  if (shares === undefined) return value;
  return { ...value, spec: { ...spec, limited: { nominalConcurrencyShares: shares, ...rest } } };
}
