import type { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { Chain, type NamedPlugin } from '../admission/chain.ts';
import { loadAdmissionConfiguration, type PluginConfigurations } from '../admission/configuration/load.ts';
import { onDemand } from '../admission/on-demand.ts';
import type { Plugin, PluginContext, TolerationSeconds } from '../admission/plugin.ts';
import { enabledPlugins, knownPlugins } from '../admission/plugins.ts';
import { OptionError, type ServerOptions } from '../options/server-options.ts';

/** The enabled plugins and their configuration. */
export interface AdmissionPlugins {
  /** Names in order. */
  readonly names: readonly string[];
  readonly configurations: PluginConfigurations;
  readonly tolerationSeconds: TolerationSeconds;
}

function knownPlugin(name: string): (typeof knownPlugins)[string] {
  const plugin = knownPlugins[name];
  if (plugin === undefined) throw new RangeError(`no admission plugin ${name}`);
  return plugin;
}

/** @throws OptionError for unknown plugins, and a configuration that cannot be read (ServerOptions Validate, ApplyTo) */
export async function admissionPlugins(options: ServerOptions): Promise<AdmissionPlugins> {
  const { enableAdmissionPlugins: enable = [], disableAdmissionPlugins: disable = [] } = options;
  const { admissionControlConfigFile: file } = options;
  requireKnown('enable-admission-plugins', enable);
  requireKnown('disable-admission-plugins', disable);
  const both = [...new Set(enable.filter((name) => disable.includes(name)))].sort();
  if (both.length > 0) {
    throw new OptionError(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  const names = enabledPlugins(enable, disable);
  const { defaultNotReadyTolerationSeconds: notReady = 300, defaultUnreachableTolerationSeconds: unreachable = 300 } = options;
  const tolerationSeconds = { notReady, unreachable };
  if (file === undefined) return { names, configurations: new Map(), tolerationSeconds };
  const configurations = await loadAdmissionConfiguration(file).catch(({ message }: Error) => {
    throw new OptionError(`failed to read plugin config: ${message}`);
  });
  return { names, configurations, tolerationSeconds };
}

function requireKnown(flag: string, names: readonly string[]): void {
  const unknown = names.find((name) => !Object.hasOwn(knownPlugins, name));
  if (unknown !== undefined) throw new OptionError(`${flag} plugin ${JSON.stringify(unknown)} is unknown`);
}

/** Gives plugins their inputs before the first write loads them. (admission/initializer) */
export class PluginInitializer {
  #context: Omit<PluginContext, 'tolerationSeconds'> | undefined;

  initialize(context: Omit<PluginContext, 'tolerationSeconds'>): void {
    this.#context = context;
  }

  /** @throws Error before `initialize` */
  get context(): Omit<PluginContext, 'tolerationSeconds'> {
    if (this.#context !== undefined) return this.#context;
    throw new Error('the admission plugins are not initialized yet');
  }
}

/** Returns a chain of the plugins. The first write loads their code. Each worker thread has its own chain. */
export function newAdmissionChain(
  { names, configurations, tolerationSeconds }: AdmissionPlugins,
  initializer: Pick<PluginInitializer, 'context'>,
  metrics: AdmissionMetrics,
): Chain {
  // one after the other, because plugins share modules
  let importing: Promise<unknown> = Promise.resolve();
  const made = (name: string): Promise<Plugin> => {
    const making = importing.then(async () => {
      const newPlugin = await knownPlugin(name).load();
      return newPlugin({ ...initializer.context, tolerationSeconds }, configurations.get(name));
    });
    importing = making.catch(() => undefined);
    return making;
  };
  const pluginOf = async (name: string): Promise<Plugin> => {
    const { demand } = knownPlugin(name);
    const { listers, stores } = initializer.context;
    const isOnDemand = demand !== undefined && listers.follows && !configurations.has(name);
    return isOnDemand ? onDemand(stores, demand, () => made(name)) : made(name);
  };
  const load = async (): Promise<NamedPlugin[]> => {
    const plugins: NamedPlugin[] = [];
    for (const name of names) plugins.push({ name, plugin: await pluginOf(name) });
    return plugins;
  };
  return new Chain(load, metrics);
}

/**
 * Creates non-default plugins at once, so that the server does not start with a configuration that they cannot read.
 *
 * @throws OptionError
 */
export async function requireConfigured(
  chain: Chain,
  { enableAdmissionPlugins, admissionControlConfigFile }: ServerOptions,
): Promise<void> {
  if (enableAdmissionPlugins === undefined && admissionControlConfigFile === undefined) return;
  await chain.open().catch(({ message }: Error) => {
    throw new OptionError(`failed to initialize admission: ${message}`);
  });
}
