import type { PluginFactory } from './plugin.ts';

interface KnownPlugin {
  readonly default: boolean;
  load(): Promise<PluginFactory>;
}

/** All plugins, in the order in which they are asked. (kubeapiserver/options/plugins.go AllOrderedPlugins, DefaultOffAdmissionPlugins) */
export const knownPlugins: Readonly<Record<string, KnownPlugin>> = {
  NamespaceLifecycle: {
    default: true,
    load: async () => (await import('./plugins/namespace-lifecycle/admission.ts')).newNamespaceLifecycle,
  },
  LimitRanger: {
    default: true,
    load: async () => (await import('./plugins/limit-ranger/admission.ts')).newLimitRanger,
  },
  ValidatingAdmissionPolicy: {
    default: true,
    load: async () => (await import('./plugins/validating-admission-policy/admission.ts')).newValidatingAdmissionPolicy,
  },
};

export type PluginName = string;

/** The plugins that are on, in their order. @param enable and @param disable names that are known */
export function enabledPlugins(enable: readonly string[] = [], disable: readonly string[] = []): PluginName[] {
  return Object.keys(knownPlugins).filter(
    (name) => enable.includes(name) || (knownPlugins[name].default && !disable.includes(name)),
  );
}
