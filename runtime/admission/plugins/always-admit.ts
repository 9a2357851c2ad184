import type { PluginFactory } from '../plugin.ts';

/** Admits everything. (plugin/pkg/admission/admit) */
export const newAlwaysAdmit: PluginFactory = () => ({ handles: () => false });
