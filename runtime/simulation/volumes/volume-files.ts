import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  Pod,
  SecretVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../generated/v1.35/core/v1/types.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { notFound } from '../environment/container-environment.ts';
import { fieldValue } from '../environment/field-value.ts';
import { resourceValue } from '../environment/resource-value.ts';

/** The content of a file, decoded when it is read. */
export interface FileContent {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
}

/** By path in the volume. */
type VolumeFiles = Map<string, FileContent>;

/** Why a volume cannot be set up. */
export class MountError extends Error {}

export interface VolumeOf {
  readonly pod: Pod;
  readonly objects: ClusterObjects;
}

/**
 * The files that a volume has to begin with. Volumes that show no objects have none, and tokens and certificates are not there.
 * (pkg/volume: configmap, secret, downwardapi, projected)
 *
 * @throws MountError
 */
export function volumeFiles({ configMap, secret, downwardAPI, projected }: Volume, given: VolumeOf): VolumeFiles {
  if (configMap) return configMapFiles(configMap, given);
  if (secret) return secretFiles({ ...secret, name: secret.secretName }, given);
  if (downwardAPI) return downwardFiles(downwardAPI.items ?? [], given);
  const files: VolumeFiles = new Map();
  const problems: string[] = [];
  for (const source of projected?.sources ?? []) {
    try {
      for (const [path, content] of projectedFiles(source, given)) files.set(path, content);
    } catch (error) {
      if (!(error instanceof MountError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new MountError(aggregate(problems));
  return files;
}

function projectedFiles({ configMap, secret, downwardAPI }: VolumeProjection, given: VolumeOf): VolumeFiles {
  if (configMap) return configMapFiles(configMap, given);
  if (secret) return secretFiles(secret, given);
  return downwardFiles(downwardAPI?.items ?? [], given);
}

function configMapFiles(source: Omit<ConfigMapVolumeSource, 'defaultMode'>, { pod, objects }: VolumeOf): VolumeFiles {
  const { name = '', optional = false } = source;
  const object = objects.configMap(pod.metadata.namespace ?? '', name);
  if (object === undefined && !optional) throw new MountError(notFound('configmap', name));
  const contents: VolumeFiles = new Map();
  for (const [key, text] of Object.entries(object?.binaryData ?? {})) contents.set(key, { text, encoding: 'base64' });
  for (const [key, text] of Object.entries(object?.data ?? {})) contents.set(key, { text, encoding: 'utf8' });
  return chosenFiles(contents, source, (key) => `configmap references non-existent config key: ${key}`);
}

type SecretSource = Pick<SecretVolumeSource, 'items' | 'optional'> & { readonly name?: string };

function secretFiles(source: SecretSource, { pod, objects }: VolumeOf): VolumeFiles {
  const { name = '', optional = false } = source;
  const object = objects.secret(pod.metadata.namespace ?? '', name);
  if (object === undefined && !optional) throw new MountError(notFound('secret', name));
  const contents: VolumeFiles = new Map();
  for (const [key, text] of Object.entries(object?.data ?? {})) contents.set(key, { text, encoding: 'base64' });
  return chosenFiles(contents, source, (key) => `references non-existent secret key: ${key}`);
}

/** (MakePayload) */
function chosenFiles(
  contents: VolumeFiles,
  { items = [], optional = false }: Pick<ConfigMapVolumeSource, 'items' | 'optional'>,
  missing: (key: string) => string,
): VolumeFiles {
  if (items.length === 0) return contents;
  const files: VolumeFiles = new Map();
  for (const { key, path } of items) {
    const content = contents.get(key);
    if (content !== undefined) files.set(path, content);
    else if (!optional) throw new MountError(missing(key));
  }
  return files;
}

/** (CollectData) */
function downwardFiles(items: readonly DownwardAPIVolumeFile[], { pod, objects }: VolumeOf): VolumeFiles {
  const files: VolumeFiles = new Map();
  for (const { path, fieldRef, resourceFieldRef } of items) {
    const node = resourceFieldRef && objects.node(pod.spec?.nodeName ?? '');
    const text = fieldRef
      ? fieldValue(pod, fieldRef.fieldPath)
      : resourceFieldRef
        ? resourceValue(resourceFieldRef, { pod, node })
        : '';
    files.set(path, { text, encoding: 'utf8' });
  }
  return files;
}
