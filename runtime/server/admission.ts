import { Chain } from '../admission/chain.ts';
import type { PluginContext } from '../admission/plugin.ts';
import { enabledPlugins, knownPlugins, type PluginName } from '../admission/plugins.ts';
import type { Admission } from '../machinery/admission.ts';
import type { ServerOptions } from './options.ts';

/** Returns the plugins that the options turn on, in their order. */
export function admissionPlugins({ enableAdmissionPlugins, disableAdmissionPlugins }: ServerOptions): PluginName[] {
  return enabledPlugins(enableAdmissionPlugins, disableAdmissionPlugins);
}

/** Makes the chain of these plugins, whose code is loaded by the first write. Worker threads have chains of their own. */
export function newAdmissionChain(names: readonly PluginName[], context: PluginContext): Admission {
  return new Chain(() => Promise.all(names.map(async (name) => (await knownPlugins[name].load())(context))));
}
