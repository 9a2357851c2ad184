import type { Node } from '../../../generated/v1.35/core/v1/types.ts';

/** Returns the region and zone of a node, or "" if it has neither. (component-helpers node/topology GetZoneKey) */
export function zoneKey({ metadata: { labels = {} } }: Node): string {
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}
