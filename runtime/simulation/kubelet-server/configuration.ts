import { clusterServer } from '../environment/dns-config.ts';
import { clusterDomain } from '../environment/hostname.ts';
import type { KubeletView } from './kubelet-view.ts';

/**
 * What a simulated kubelet is configured by: the defaults of kubelets, without the endpoints that it does not have.
 * (pkg/kubelet/apis/config/v1beta1/defaults.go)
 */
export function kubeletConfiguration({ node, objects }: KubeletView): object {
  const server = clusterServer(objects);
  return {
    ...{ enableServer: true, podLogsDir: '/var/log/pods', syncFrequency: '1m0s', fileCheckFrequency: '20s' },
    ...{ httpCheckFrequency: '20s', address: '0.0.0.0', port: 10250 },
    authentication: { x509: {}, webhook: { enabled: true, cacheTTL: '2m0s' }, anonymous: { enabled: false } },
    authorization: { mode: 'Webhook', webhook: { cacheAuthorizedTTL: '5m0s', cacheUnauthorizedTTL: '30s' } },
    ...{ registryPullQPS: 5, registryBurst: 10, imagePullCredentialsVerificationPolicy: 'NeverVerifyPreloadedImages' },
    ...{ eventRecordQPS: 50, eventBurst: 100, enableDebuggingHandlers: true, healthzPort: 10248 },
    ...{ healthzBindAddress: '127.0.0.1', oomScoreAdj: -999, clusterDomain },
    ...(server === undefined ? {} : { clusterDNS: [server] }),
    ...{
      streamingConnectionIdleTimeout: '4h0m0s',
      nodeStatusUpdateFrequency: '10s',
      nodeStatusReportFrequency: '5m0s',
    },
    ...{ nodeLeaseDurationSeconds: 40, imageMinimumGCAge: '2m0s', imageMaximumGCAge: '0s' },
    ...{ imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80, volumeStatsAggPeriod: '1m0s' },
    ...{ cgroupsPerQOS: true, cgroupDriver: 'cgroupfs', cpuManagerPolicy: 'none', cpuManagerReconcilePeriod: '10s' },
    ...{ memoryManagerPolicy: 'None', topologyManagerPolicy: 'none', topologyManagerScope: 'container' },
    ...{ runtimeRequestTimeout: '2m0s', hairpinMode: 'promiscuous-bridge' },
    ...{ maxPods: Number(node.status?.capacity?.pods ?? 110) },
    ...(node.spec?.podCIDR ? { podCIDR: node.spec.podCIDR } : {}),
    ...{ podPidsLimit: -1, resolvConf: '/etc/resolv.conf', cpuCFSQuota: true, cpuCFSQuotaPeriod: '100ms' },
    ...{ nodeStatusMaxImages: 50, maxOpenFiles: 1_000_000, contentType: 'application/vnd.kubernetes.protobuf' },
    ...{ kubeAPIQPS: 50, kubeAPIBurst: 100, serializeImagePulls: true },
    evictionHard: {
      ...{ 'imagefs.available': '15%', 'imagefs.inodesFree': '5%', 'memory.available': '100Mi' },
      ...{ 'nodefs.available': '10%', 'nodefs.inodesFree': '5%' },
    },
    ...{ evictionPressureTransitionPeriod: '5m0s', mergeDefaultEvictionSettings: false },
    ...{ enableControllerAttachDetach: true, makeIPTablesUtilChains: true, iptablesMasqueradeBit: 14 },
    ...{ iptablesDropBit: 15, failSwapOn: true, memorySwap: {}, containerLogMaxSize: '10Mi' },
    ...{ containerLogMaxFiles: 5, containerLogMaxWorkers: 1, containerLogMonitorInterval: '10s' },
    ...{ configMapAndSecretChangeDetectionStrategy: 'Watch', enforceNodeAllocatable: ['pods'] },
    volumePluginDir: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
    logging: {
      ...{ format: 'text', flushFrequency: '5s', verbosity: 0 },
      options: { text: { infoBufferSize: '0' }, json: { infoBufferSize: '0' } },
    },
    ...{ enableSystemLogHandler: false, shutdownGracePeriod: '0s', shutdownGracePeriodCriticalPods: '0s' },
    ...{ crashLoopBackOff: { maxContainerRestartPeriod: '5m0s' }, enableProfilingHandler: false },
    ...{ enableDebugFlagsHandler: false, seccompDefault: false, memoryThrottlingFactor: 0.9, registerNode: true },
    ...{ localStorageCapacityIsolation: true, containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock' },
    failCgroupV1: true,
  };
}
