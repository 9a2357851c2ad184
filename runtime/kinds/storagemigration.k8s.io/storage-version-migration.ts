import type { StorageVersionMigration } from '../../../generated/v1.35/storagemigration.k8s.io/v1beta1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';

export const migrationResource = ({ spec }: Unvalidated<StorageVersionMigration>): string =>
  `${spec?.resource?.resource ?? ''}.${spec?.resource?.group ?? ''}`;
