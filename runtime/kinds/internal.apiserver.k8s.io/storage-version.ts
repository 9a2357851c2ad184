import type { StorageVersion } from '../../../generated/v1.35/internal.apiserver.k8s.io/v1alpha1/types.ts';
import type { Unvalidated } from '../../machinery/unvalidated.ts';
import { formatFirst } from '../printers.ts';

/** For example `apiserver-1=apps/v1,apiserver-2=apps/v1`. (formatStorageVersions) */
export const storageVersionList = ({ status }: Unvalidated<StorageVersion>): string =>
  formatFirst(
    (status?.storageVersions ?? []).map(
      ({ apiServerID = '', encodingVersion = '' }) => `${apiServerID}=${encodingVersion}`,
    ),
  ) || '<unset>';
