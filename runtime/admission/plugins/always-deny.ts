import { newForbidden } from '../errors.ts';
import type { PluginFactory } from '../plugin.ts';

/** Refuses everything, for tests. (plugin/pkg/admission/deny) */
export const newAlwaysDeny: PluginFactory = () => ({
  handles: () => true,
  admit(attributes) {
    throw newForbidden(attributes, 'admission control is denying all modifications');
  },
});
