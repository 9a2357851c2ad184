import type { ControllerName } from '../reconcile/controller-selection.ts';
import type { WakeRule } from '../reconcile/dormancy/write-alarm.ts';
import type { ObjectEvent } from '../storage/object-store/contract.ts';

const on = (...resources: readonly string[]): WakeRule => ({ resources });

const requests = on('certificatesigningrequests.certificates.k8s.io');
const policies = on('validatingadmissionpolicies.admissionregistration.k8s.io');
const rootCA = 'kube-root-ca.crt';
const ownerReferences = Buffer.from('"ownerReferences"');
const deletion = Buffer.from('"deletionTimestamp"');

/** Reports whether a write concerns owners or dependents. The garbage collector ignores all other writes. */
const concernsOwners = ({ type, object }: ObjectEvent): boolean =>
  type === 'DELETED' || object.mentions(ownerReferences) || object.mentions(deletion);

const isRootCA = ({ object }: ObjectEvent): boolean => object.name === rootCA || object.namespace === '';

/**
 * The writes that wake controllers. These controllers may sleep in a server whose objects another server has already
 * reconciled. Controllers outside this table have work besides following objects.
 */
export const wakeRules: Readonly<Partial<Record<ControllerName, WakeRule>>> = {
  'certificatesigningrequest-approving-controller': requests,
  'certificatesigningrequest-cleaner-controller': requests,
  'certificatesigningrequest-signing-controller': requests,
  'clusterrole-aggregation-controller': on('clusterroles.rbac.authorization.k8s.io'),
  'garbage-collector-controller': { when: concernsOwners },
  'namespace-controller': on('namespaces'),
  'persistentvolume-protection-controller': on('persistentvolumes'),
  'persistentvolumeclaim-protection-controller': on('persistentvolumeclaims', 'pods'),
  'resourcequota-controller': on('resourcequotas'),
  'root-ca-certificate-publisher-controller': { ...on('namespaces', 'configmaps'), when: isRootCA },
  'service-cidr-controller': on('servicecidrs.networking.k8s.io', 'ipaddresses.networking.k8s.io'),
  'serviceaccount-controller': on('namespaces', 'serviceaccounts'),
  'serviceaccount-token-controller': on('secrets', 'serviceaccounts'),
  'validatingadmissionpolicy-status-controller': policies,
  'volumeattributesclass-protection-controller': on(
    'volumeattributesclasses.storage.k8s.io',
    'persistentvolumeclaims',
    'persistentvolumes',
  ),
};

/**
 * Objects that give a controller work as time passes, without writes. The controller does not sleep while any exist.
 */
export const periodicWork: Readonly<Partial<Record<ControllerName, string>>> = {
  'certificatesigningrequest-cleaner-controller': 'certificatesigningrequests',
  'resourcequota-controller': 'resourcequotas',
};
