import type { ReleaseRules } from '../../../machinery/validation/rule-changes.ts';
import type { Shape } from '../../validation/internal-value.ts';
import {
  appArmorProfile,
  container,
  ephemeralContainer,
  resourceRequirements,
  seccompProfile,
  seLinuxOptions,
  windowsSecurityContextOptions,
} from './internal-containers.ts';
import { localObjectReference, volume } from './internal-volumes.ts';

/** The spec of a pod, as Go shows it in messages. (pkg/apis/core/types.go) */

const sysctl: Shape = { name: '', value: '' };
const podSecurityContext: Shape = {
  hostNetwork: false,
  hostPID: false,
  hostIPC: false,
  shareProcessNamespace: null,
  hostUsers: null,
  seLinuxOptions,
  windowsOptions: windowsSecurityContextOptions,
  runAsUser: null,
  runAsGroup: null,
  runAsNonRoot: null,
  supplementalGroups: null,
  supplementalGroupsPolicy: null,
  'fsGroup:FSGroup': null,
  'fsGroupChangePolicy:FSGroupChangePolicy': null,
  sysctls: sysctl,
  seccompProfile,
  appArmorProfile,
  'seLinuxChangePolicy:SELinuxChangePolicy': null,
};
const nodeSelectorRequirement: Shape = { key: '', operator: '', values: null };
export const nodeSelectorTerm: Shape = {
  matchExpressions: nodeSelectorRequirement,
  matchFields: nodeSelectorRequirement,
};
const nodeSelector: Shape = { nodeSelectorTerms: nodeSelectorTerm };
const preferredSchedulingTerm: Shape = { weight: 0, preference: [nodeSelectorTerm] };
const nodeAffinity: Shape = {
  requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
  preferredDuringSchedulingIgnoredDuringExecution: preferredSchedulingTerm,
};
const podAffinityTerm: Shape = {
  labelSelector: null,
  namespaces: null,
  topologyKey: '',
  namespaceSelector: null,
  matchLabelKeys: null,
  mismatchLabelKeys: null,
};
const weightedPodAffinityTerm: Shape = { weight: 0, podAffinityTerm: [podAffinityTerm] };
const podAffinity: Shape = {
  requiredDuringSchedulingIgnoredDuringExecution: podAffinityTerm,
  preferredDuringSchedulingIgnoredDuringExecution: weightedPodAffinityTerm,
};
const affinity: Shape = { nodeAffinity, podAffinity, podAntiAffinity: podAffinity };
const toleration: Shape = { key: '', operator: '', value: '', effect: '', tolerationSeconds: null };
const hostAlias: Shape = { ip: '', hostnames: null };
const podDNSConfigOption: Shape = { name: '', value: null };
const podDNSConfig: Shape = { nameservers: null, searches: null, options: podDNSConfigOption };
const podReadinessGate: Shape = { conditionType: '' };
const topologySpreadConstraint: Shape = {
  maxSkew: 0,
  topologyKey: '',
  whenUnsatisfiable: '',
  labelSelector: null,
  minDomains: null,
  nodeAffinityPolicy: null,
  nodeTaintsPolicy: null,
  matchLabelKeys: null,
};
const podOS: Shape = { name: '' };
const podSchedulingGate: Shape = { name: '' };
export const podResourceClaim: Shape = { name: '', resourceClaimName: null, resourceClaimTemplateName: null };
const workloadReference: Shape = { name: '', podGroup: '', podGroupReplicaKey: '' };
const podSpec: Shape = {
  volumes: volume,
  initContainers: container,
  containers: container,
  ephemeralContainers: ephemeralContainer,
  restartPolicy: '',
  terminationGracePeriodSeconds: null,
  activeDeadlineSeconds: null,
  'dnsPolicy:DNSPolicy': '',
  nodeSelector: [],
  serviceAccountName: '',
  automountServiceAccountToken: null,
  nodeName: '',
  securityContext: podSecurityContext,
  imagePullSecrets: localObjectReference,
  hostname: '',
  subdomain: '',
  setHostnameAsFQDN: null,
  affinity,
  schedulerName: '',
  tolerations: toleration,
  hostAliases: hostAlias,
  priorityClassName: '',
  priority: null,
  preemptionPolicy: null,
  'dnsConfig:DNSConfig': podDNSConfig,
  readinessGates: podReadinessGate,
  runtimeClassName: null,
  overhead: [],
  enableServiceLinks: null,
  topologySpreadConstraints: topologySpreadConstraint,
  'os:OS': podOS,
  schedulingGates: podSchedulingGate,
  resourceClaims: podResourceClaim,
  resources: resourceRequirements,
  hostnameOverride: null,
  workloadRef: workloadReference,
};

const { workloadRef: _, ...podSpecWithoutWorkload } = podSpec;

/** Returns the members of a pod's spec in a release. */
export const podSpecOf = ({ changes }: ReleaseRules): Shape => (changes.PodsReferToWorkloads ? podSpec : podSpecWithoutWorkload);
