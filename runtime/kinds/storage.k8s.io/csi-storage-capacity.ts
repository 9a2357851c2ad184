import { addNodeSelectorWarnings } from '../core/node-selector.ts';
import { always, type WarningStrategy } from '../warnings.ts';

export const csiStorageCapacityWarnings: WarningStrategy = always(({ nodeTopology }) => {
  const warnings: string[] = [];
  addNodeSelectorWarnings(nodeTopology, 'nodeTopology', warnings);
  return warnings;
});
