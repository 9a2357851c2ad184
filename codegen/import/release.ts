import type { ImportSource } from './source.ts';

/**
 * Returns the release name of a source: Kubernetes' minor for sources that Kubernetes publishes, or else `folder`, or
 * else the version of the documents. Undefined for documents that are "unversioned".
 */
export function releaseOf(source: ImportSource, folder: string | undefined): string | undefined {
  const version = source.version ?? versionOf(source);
  const minor = source.kind === 'published' ? /^v1\.\d+(?=\.\d)/.exec(version ?? '')?.[0] : undefined;
  return minor ?? folder ?? version;
}

function versionOf({ documents }: ImportSource): string | undefined {
  const [first] = documents.values();
  const version = first?.info.version;
  return typeof version === 'string' && /^\w[\w.+-]*$/.test(version) && version !== 'unversioned' ? version : undefined;
}
