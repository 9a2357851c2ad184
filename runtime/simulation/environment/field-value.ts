import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { sortedKeys } from '../../machinery/go/key-order.ts';
import { quote } from '../../machinery/go/quote.ts';

/**
 * Returns the value of a `fieldRef` in a variable or file. (podFieldSelectorRuntimeValue; pkg/fieldpath
 * ExtractFieldPathAsString)
 */
export function fieldValue({ metadata, spec, status }: Pod, path: string): string {
  const [, list, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (list !== undefined && key !== undefined) return metadata[list as 'labels' | 'annotations']?.[key] ?? '';
  switch (path) {
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'metadata.name':
    case 'metadata.namespace':
    case 'metadata.uid':
      return metadata[path.slice('metadata.'.length) as 'name' | 'namespace' | 'uid'] ?? '';
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.hostIP':
      return status?.hostIP ?? '';
    case 'status.hostIPs':
      return (status?.hostIPs ?? []).map(({ ip }) => ip).join();
    case 'status.podIP':
      return status?.podIP ?? '';
    case 'status.podIPs':
      return (status?.podIPs ?? []).map(({ ip }) => ip).join();
    default:
      return '';
  }
}

/** Formats one line for each entry, sorted by name. (FormatMap) */
const formatMap = (map: Readonly<Record<string, string>> = {}): string =>
  sortedKeys(map)
    .map((key) => `${key}=${quote(map[key] ?? '')}`)
    .join('\n');
