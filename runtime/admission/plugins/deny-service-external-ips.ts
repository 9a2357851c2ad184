import type * as core from '../../../generated/v1.35/core/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { newForbidden } from '../errors.ts';
import type { PluginFactory } from '../plugin.ts';
import { onCore } from '../resources.ts';

type Service = Unvalidated<core.Service>;

/** Refuses new external IPs of services. (plugin/pkg/admission/network/denyserviceexternalips) */
export const newDenyServiceExternalIPs: PluginFactory = () => ({
  handles: onCore('services', 'CREATE', 'UPDATE'),
  validate(attributes) {
    const wanted = externalIPs(attributes.object as Service);
    if (wanted.length === 0) return;
    const old = new Set(attributes.oldObject ? externalIPs(attributes.oldObject as Service) : []);
    if (wanted.every((ip) => old.has(ip))) return;
    throw newForbidden(attributes, 'Use of external IPs is denied by admission control');
  },
});

const externalIPs = ({ spec }: Service): readonly string[] => spec?.externalIPs ?? [];
