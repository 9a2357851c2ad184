import type {
  ConfigMapKeySelector,
  Container,
  EnvFromSource,
  EnvVarSource,
  Pod,
  SecretKeySelector,
} from '../../../generated/v1.35/core/v1/types.ts';
import { type ClusterObjects, remembering } from '../cluster-objects.ts';
import { ArgumentSpace, ArgumentSpaceError } from './argument-space.ts';
import { expand } from './expansion.ts';
import { fieldValue } from './field-value.ts';
import { hostnameOf } from './hostname.ts';
import { resourceValue } from './resource-value.ts';
import { serviceVariables } from './service-variables.ts';

export const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface EnvironmentOf {
  readonly pod: Pod;
  readonly container: Container;
  readonly objects: ClusterObjects;
  /** Called with a kubelet's message for a missing source, whose variables are left out. */
  onMissing(message: string): void;
}

/** Returns the variables of a container. (pkg/kubelet/kubelet_pods.go makeEnvironmentVariables) */
export function containerEnvironment(given: EnvironmentOf): Map<string, string> {
  const { pod, objects } = given;
  const services = serviceVariables(objects, pod.metadata.namespace ?? '', pod.spec?.enableServiceLinks ?? true);
  const declared = new Map<string, string>();
  try {
    declare({ ...given, objects: remembering(objects) }, services, declared);
  } catch (error) {
    if (!(error instanceof ArgumentSpaceError)) throw error;
    given.onMissing(error.message);
  }
  return new Map([
    // the container runtime adds PATH, HOSTNAME and HOME
    ...new Map([['PATH', searchPath], ['HOSTNAME', hostnameOf(pod).kernelName], ...declared]),
    ...[...services].filter(([name]) => !declared.has(name)),
    ...(declared.has('HOME') ? [] : [['HOME', '/root'] as const]),
  ]);
}

/** @throws ArgumentSpaceError */
function declare(given: EnvironmentOf, services: ReadonlyMap<string, string>, declared: Map<string, string>): void {
  const { envFrom = [], env = [] } = given.container;
  const space = new ArgumentSpace();
  for (const source of envFrom) addAll(source, given, declared, space);
  for (const { name, value, valueFrom } of env) {
    const found = value
      ? expand(value, (other) => declared.get(other) ?? services.get(other), space)
      : valueFrom
        ? sourceValue(valueFrom, given)
        : '';
    if (found === undefined) continue;
    space.take(found);
    declared.set(name, found);
  }
}

function addAll(
  { prefix = '', configMapRef, secretRef }: EnvFromSource,
  given: EnvironmentOf,
  to: Map<string, string>,
  space: ArgumentSpace,
): void {
  const kind = configMapRef ? 'configmap' : 'secret';
  const data = dataOf(kind, configMapRef ?? secretRef ?? {}, given);
  for (const [key, text] of Object.entries(data ?? {})) {
    const name = prefix + key;
    const value = textOf(kind, text);
    space.take(name + value);
    to.set(name, value);
  }
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

function valueOfKey(kind: Kind, reference: ConfigMapKeySelector | SecretKeySelector, given: EnvironmentOf): string | undefined {
  const data = dataOf(kind, reference, given);
  if (data === undefined) return undefined;
  const { name, key, optional } = reference;
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text !== undefined) return textOf(kind, text);
  const object = `${kinds[kind]} ${given.pod.metadata.namespace}/${name}`;
  if (!optional) given.onMissing(`couldn't find key ${key} in ${object}`);
  return undefined;
}

/** Returns the data of a config map or a secret; undefined if it does not exist. */
function dataOf(
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
  return object.data ?? {};
}

const textOf = (kind: Kind, value: string): string => (kind === 'configmap' ? value : Buffer.from(value, 'base64').toString());

/** Returns a kubelet's message. */
export const notFound = (kind: Kind, name: string): string => `${kind} "${name}" not found`;

/** Returns the reason why a container cannot be created, if any. (generateContainerConfig) */
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
  const lookUp = (name: string): string | undefined => {
    if (!variables.get(name)) missing.add(name);
    return variables.get(name);
  };
  let subPath: string;
  try {
    subPath = expand(subPathExpr, lookUp, new ArgumentSpace());
  } catch (error) {
    if (error instanceof ArgumentSpaceError) return error.message;
    throw error;
  }
  if (missing.size > 0) return `missing value for ${[...missing].sort().join(', ')}`;
  if (subPath.startsWith('/')) return `error SubPath \`${subPath}\` must not be an absolute path`;
  if (subPath.split('/').includes('..')) return `unable to provision SubPath \`${subPath}\`: must not contain '..'`;
  return undefined;
}

/**
 * Returns the command and arguments with expanded variables. (ExpandContainerCommandAndArgs)
 *
 * @throws ArgumentSpaceError
 */
export const expandedCommand = ({ command = [], args = [] }: Container, variables: ReadonlyMap<string, string>): readonly string[] =>
  expandedWords([...command, ...args], variables);

/** @throws ArgumentSpaceError */
export function expandedWords(words: readonly string[], variables: ReadonlyMap<string, string>): readonly string[] {
  const space = new ArgumentSpace();
  return words.map((word) => expand(word, (name) => variables.get(name), space));
}
