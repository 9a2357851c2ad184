import type { CSINode } from '../../../generated/v1.35/storage.k8s.io/v1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

export const csiNodeDrivers = ({ spec }: Unvalidated<CSINode>): number => spec?.drivers?.length ?? 0;
