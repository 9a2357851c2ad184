/** The plugins of the default profile, in filtering order. (pkg/scheduler/apis/config/v1/default_plugins.go) */
export type PluginName =
  | 'SchedulingGates'
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'NodeResourcesBalancedAllocation';
