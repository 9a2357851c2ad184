import { addNodeSelectorWarnings } from '../core/node-selector.ts';
import { always, type WarningRules } from '../warnings.ts';

export const csiStorageCapacityWarnings: WarningRules = always(({ nodeTopology }) => {
  const warnings: string[] = [];
  addNodeSelectorWarnings(nodeTopology, 'nodeTopology', warnings);
  return warnings;
});
