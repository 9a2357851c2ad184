import { addNodeSelectorWarnings } from '../core/node-selector.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

export const csiStorageCapacityWarnings: WarningStrategy = warningsOnWrite(({ nodeTopology }) => {
  const warnings: string[] = [];
  addNodeSelectorWarnings(nodeTopology, 'nodeTopology', warnings);
  return warnings;
});
