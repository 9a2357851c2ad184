import type {
  ConfigMapKeySelector,
  Container,
  EnvFromSource,
  EnvVarSource,
  Pod,
  SecretKeySelector,
} from '../../../generated/v1.35/core/v1/types.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { expand } from './expansion.ts';
import { fieldValue } from './field-value.ts';
import { hostnameOf } from './hostname.ts';
import { resourceValue } from './resource-value.ts';
import { serviceVariables } from './service-variables.ts';

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface EnvironmentOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly objects: ClusterObjects;
  /** Told of what is missing, in a kubelet's words. What it would give is left out. */
  onMissing(message: string): void;
}

/** The variables of a container. (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables) */
export function containerEnvironment(given: EnvironmentOf): Map<string, string> {
  const { pod, container, objects } = given;
  const services = serviceVariables(objects, pod.metadata.namespace ?? '', pod.spec?.enableServiceLinks ?? true);
  const declared = new Map<string, string>();
  for (const source of container.envFrom ?? []) addAll(source, given, declared);
  for (const { name, value, valueFrom } of container.env ?? []) {
    const found = value
      ? expand(value, (other) => declared.get(other) ?? services.get(other))
      : valueFrom
        ? sourceValue(valueFrom, given)
        : '';
    if (found !== undefined) declared.set(name, found);
  }
  return new Map([
    // the container runtime adds the first two and the last
    ...new Map([['PATH', searchPath], ['HOSTNAME', hostnameOf(pod).kernelName], ...declared]),
    ...[...services].filter(([name]) => !declared.has(name)),
    ...(declared.has('HOME') ? [] : [['HOME', '/root'] as const]),
  ]);
}

function addAll(
  { prefix = '', configMapRef, secretRef }: EnvFromSource,
  given: EnvironmentOf,
  to: Map<string, string>,
) {
  const found = configMapRef
    ? valuesOf('configmap', configMapRef, given)
    : secretRef && valuesOf('secret', secretRef, given);
  if (!found) return;
  for (const [key, value] of Object.entries(found)) to.set(prefix + key, value);
}

function sourceValue(source: EnvVarSource, given: EnvironmentOf): string | undefined {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const { pod, container, objects } = given;
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath);
  if (resourceFieldRef) {
    return resourceValue(resourceFieldRef, { pod, own: container, node: objects.node(pod.spec?.nodeName ?? '') });
  }
  if (configMapKeyRef) return valueOfKey('configmap', configMapKeyRef, given);
  if (secretKeyRef) return valueOfKey('secret', secretKeyRef, given);
  // containers share no files
  return fileKeyRef ? undefined : '';
}

type Kind = 'configmap' | 'secret';
const kinds: Readonly<Record<Kind, string>> = { configmap: 'ConfigMap', secret: 'Secret' };

function valueOfKey(
  kind: Kind,
  reference: ConfigMapKeySelector | SecretKeySelector,
  given: EnvironmentOf,
): string | undefined {
  const values = valuesOf(kind, reference, given);
  if (values === undefined) return undefined;
  const { name, key, optional } = reference;
  if (Object.hasOwn(values, key)) return values[key];
  const object = `${kinds[kind]} ${given.pod.metadata.namespace}/${name}`;
  if (!optional) given.onMissing(`couldn't find key ${key} in ${object}`);
  return undefined;
}

/** All texts of a config map or a secret. Undefined if it does not exist. */
function valuesOf(
  kind: Kind,
  { name = '', optional }: { readonly name?: string; readonly optional?: boolean },
  { pod, objects, onMissing }: EnvironmentOf,
): Readonly<Record<string, string>> | undefined {
  const { namespace = '' } = pod.metadata;
  const object = kind === 'configmap' ? objects.configMap(namespace, name) : objects.secret(namespace, name);
  if (object === undefined) {
    if (!optional) onMissing(notFound(kind, name));
    return undefined;
  }
  const { data = {} } = object;
  if (kind === 'configmap') return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

/** As kubelets say it. */
export const notFound = (kind: Kind, name: string): string => `${kind} "${name}" not found`;

/** What keeps a container from being created, if anything does. (generateContainerConfig) */
export function configurationProblem(pod: Pod, container: Container, objects: ClusterObjects): string | undefined {
  const mounts = container.volumeMounts?.filter(({ subPathExpr }) => subPathExpr) ?? [];
  const refersToObjects = container.env?.some(({ valueFrom }) => valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef);
  if (mounts.length === 0 && !refersToObjects && !container.envFrom?.length) return undefined;
  const problems: string[] = [];
  const variables = containerEnvironment({ pod, container, objects, onMissing: (message) => problems.push(message) });
  for (const { subPathExpr = '' } of problems.length === 0 ? mounts : []) {
    const problem = subPathProblem(subPathExpr, variables);
    if (problem !== undefined) problems.push(problem);
  }
  return problems[0];
}

/** (makeMounts, ExpandContainerVolumeMounts) */
function subPathProblem(subPathExpr: string, variables: ReadonlyMap<string, string>): string | undefined {
  const missing = new Set<string>();
  const subPath = expand(subPathExpr, (name) => {
    if (!variables.get(name)) missing.add(name);
    return variables.get(name);
  });
  if (missing.size > 0) return `missing value for ${[...missing].sort().join(', ')}`;
  if (subPath.startsWith('/')) return `error SubPath \`${subPath}\` must not be an absolute path`;
  if (subPath.split('/').includes('..')) return `unable to provision SubPath \`${subPath}\`: must not contain '..'`;
  return undefined;
}

/** The command and the arguments with their variables. (ExpandContainerCommandAndArgs) */
export function expandedCommand(
  { command = [], args = [] }: Container,
  variables: ReadonlyMap<string, string>,
): readonly string[] {
  return [...command, ...args].map((word) => expand(word, (name) => variables.get(name)));
}
