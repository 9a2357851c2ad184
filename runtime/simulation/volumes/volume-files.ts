import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  Pod,
  SecretVolumeSource,
  Volume,
  VolumeProjection,
} from '../../../generated/v1.35/core/v1/types.ts';
import { aggregate } from '../../machinery/errors/aggregate.ts';
import { defined } from '../../machinery/json/defined.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { notFound } from '../environment/container-environment.ts';
import { fieldValue } from '../environment/field-value.ts';
import { resourceValue } from '../environment/resource-value.ts';
import { MountError, type VolumeSpace } from './volume-space.ts';

/** The content of a file, decoded on reading. */
export interface FileContent {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  /** Undefined for the default of the volume. */
  readonly mode?: number | undefined;
}

/** Files by path in the volume. */
type VolumeFiles = Map<string, FileContent>;

export interface VolumeOf {
  readonly pod: Pod;
  readonly objects: ClusterObjects;
  /** The room for all volumes of the pod. */
  readonly space: VolumeSpace;
}

/**
 * Returns the initial files of a volume. Volumes without objects are empty. Tokens and certificates are left out.
 * (pkg/volume: configmap, secret, downwardapi, projected)
 *
 * @throws MountError
 */
export function volumeFiles({ configMap, secret, downwardAPI, projected }: Volume, given: VolumeOf): VolumeFiles {
  if (configMap) return configMapFiles(configMap, given);
  if (secret) return secretFiles(defined({ ...secret, name: secret.secretName }), given);
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

function configMapFiles(source: Omit<ConfigMapVolumeSource, 'defaultMode'>, given: VolumeOf): VolumeFiles {
  const { name = '', optional = false } = source;
  const object = given.objects.configMap(given.pod.metadata.namespace ?? '', name);
  if (object === undefined && !optional) throw new MountError(notFound('configmap', name));
  const { data = {}, binaryData = {} } = object ?? {};
  const contents: Contents = [
    [binaryData, 'base64'],
    [data, 'utf8'],
  ];
  return chosenFiles(contents, source, given.space, (key) => `configmap references non-existent config key: ${key}`);
}

type SecretSource = Pick<SecretVolumeSource, 'items' | 'optional'> & { readonly name?: string };

function secretFiles(source: SecretSource, given: VolumeOf): VolumeFiles {
  const { name = '', optional = false } = source;
  const object = given.objects.secret(given.pod.metadata.namespace ?? '', name);
  if (object === undefined && !optional) throw new MountError(notFound('secret', name));
  const contents: Contents = [[object?.data ?? {}, 'base64']];
  return chosenFiles(contents, source, given.space, (key) => `references non-existent secret key: ${key}`);
}

/** Texts by key. Later texts replace earlier ones of the same key. */
type Contents = readonly (readonly [Readonly<Record<string, string>>, FileContent['encoding']])[];

/** (MakePayload) */
function chosenFiles(
  contents: Contents,
  { items = [], optional = false }: Pick<ConfigMapVolumeSource, 'items' | 'optional'>,
  space: VolumeSpace,
  missing: (key: string) => string,
): VolumeFiles {
  const files: VolumeFiles = new Map();
  const add = (path: string, text: string, encoding: FileContent['encoding'], mode?: number): void => {
    space.take(text);
    files.set(path, { text, encoding, mode });
  };
  if (items.length === 0) {
    for (const [texts, encoding] of contents) for (const [key, text] of Object.entries(texts)) add(key, text, encoding);
  }
  for (const { key, path, mode } of items) {
    const [texts, encoding] = contents.findLast(([each]) => Object.hasOwn(each, key)) ?? [];
    const text = texts?.[key];
    if (text !== undefined && encoding !== undefined) add(path, text, encoding, mode);
    else if (!optional) throw new MountError(missing(key));
  }
  return files;
}

/** (CollectData) */
function downwardFiles(items: readonly DownwardAPIVolumeFile[], { pod, objects, space }: VolumeOf): VolumeFiles {
  const files: VolumeFiles = new Map();
  for (const { path, fieldRef, resourceFieldRef, mode } of items) {
    const node = resourceFieldRef && objects.node(pod.spec?.nodeName ?? '');
    const text = fieldRef ? fieldValue(pod, fieldRef.fieldPath) : resourceFieldRef ? resourceValue(resourceFieldRef, { pod, node }) : '';
    space.take(text);
    files.set(path, { text, encoding: 'utf8', mode });
  }
  return files;
}
