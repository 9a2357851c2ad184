import type { PluginFactory } from '../plugin.ts';

/** Admits everything, as no plugin does. (plugin/pkg/admission/admit) */
export const newAlwaysAdmit: PluginFactory = () => ({ handles: () => false });
