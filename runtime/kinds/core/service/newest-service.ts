import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { RESTStorageProvider } from '../../../resources/rest.ts';
import type { ServiceName } from './allocators.ts';

/** Returns the stored service; undefined if none is stored. It shows the result of an interrupted write. */
export async function newestService(
  stores: Pick<RESTStorageProvider, 'byResource'>,
  { namespace, name }: ServiceName,
): Promise<Service | undefined> {
  const { collection } = await stores.byResource('', 'v1', 'services');
  return (await collection.mostRecent()).get(namespace, name)?.decode();
}
