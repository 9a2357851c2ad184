import type { CSIStorageCapacity } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { addNodeSelectorWarnings } from '../core/node-selector.ts';
import { type WarningStrategy, warningsOnWrite } from '../warnings.ts';

/** (pkg/api/storage/util.go, GetWarningsForCSIStorageCapacity) */
export const csiStorageCapacityWarnings: WarningStrategy<Unvalidated<CSIStorageCapacity>> = warningsOnWrite(
  ({ nodeTopology }) => {
    const warnings: string[] = [];
    addNodeSelectorWarnings(nodeTopology, 'nodeTopology', warnings);
    return warnings;
  },
);
