import type { ClusterTrustBundle } from '../../../../generated/v1.35/certificates.k8s.io/v1beta1/types.ts';
import { isOnlyMutatingGCFields } from '../../../machinery/gc-fields.ts';
import type { Unvalidated } from '../../../machinery/unvalidated.ts';
import type { PluginFactory } from '../../plugin.ts';
import { requireAllowedForSigner } from './signer-permissions.ts';

/** Refuses bundles by users who may not `attest` for their signer. (plugin/pkg/admission/certificates/ctbattest) */
export const newClusterTrustBundleAttest: PluginFactory = ({ authorizer }) => ({
  handles: (operation, { group, resource }) =>
    (operation === 'CREATE' || operation === 'UPDATE') && group === 'certificates.k8s.io' && resource === 'clustertrustbundles',
  validate(attributes) {
    const { object, oldObject } = attributes;
    if (object === undefined || (oldObject && isOnlyMutatingGCFields(object, oldObject))) return;
    const { signerName = '' } = (object as Unvalidated<ClusterTrustBundle>).spec ?? {};
    if (signerName === '') return;
    return requireAllowedForSigner(authorizer, attributes, { verb: 'attest', what: 'attest for' }, signerName);
  },
});
