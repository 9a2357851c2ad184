import type { Container, ServiceAccount } from '../../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { PodSpec } from '../../resources.ts';

type Variables = Pick<Unvalidated<Container>, 'name' | 'env' | 'envFrom'>;

/**
 * Returns an error for a pod's secret that its account does not list; undefined if there is none.
 * (limitSecretReferences)
 */
export function forbiddenSecret(account: ServiceAccount, spec: PodSpec): string | undefined {
  const mountable = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  const refused = `is not allowed because service account ${account.metadata.name} does not reference that`;
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName ?? '';
    if (secret && !mountable.has(name)) return `volume with secret.secretName="${name}" ${refused} secret`;
  }
  const inContainers =
    forbiddenVariable('init container', spec.initContainers, mountable) ?? forbiddenVariable('container', spec.containers, mountable);
  if (inContainers !== undefined) return `${inContainers} ${refused} secret`;
  const pullSecrets = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (!pullSecrets.has(name)) return `imagePullSecrets[${index}].name="${name}" ${refused} imagePullSecret`;
  }
}

/**
 * Checks the secrets of a pod's ephemeral containers like forbiddenSecret. (limitEphemeralContainerSecretReferences)
 */
export function forbiddenEphemeralSecret(account: ServiceAccount, spec: PodSpec): string | undefined {
  const mountable = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  const found = forbiddenVariable('ephemeral container', spec.ephemeralContainers, mountable);
  if (found === undefined) return undefined;
  return `${found} is not allowed because service account ${account.metadata.name} does not reference that secret`;
}

function forbiddenVariable(
  what: string,
  containers: readonly Variables[] | null | undefined,
  mountable: ReadonlySet<string>,
): string | undefined {
  for (const { name = '', env = [], envFrom = [] } of containers ?? []) {
    for (const { name: variable = '', valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef && (valueFrom.secretKeyRef.name ?? '');
      if (secret === undefined || mountable.has(secret)) continue;
      return `${what} ${name} with envVar ${variable} referencing secret.secretName="${secret}"`;
    }
    for (const { secretRef } of envFrom) {
      const secret = secretRef && (secretRef.name ?? '');
      if (secret === undefined || mountable.has(secret)) continue;
      return `${what} ${name} with envFrom referencing secret.secretName="${secret}"`;
    }
  }
}
