import type { Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { StorageProvider } from '../../../resources/rest.ts';
import type { ServiceName } from './allocators.ts';

/** Returns the stored service; undefined if none is stored. It shows the result of an interrupted write. */
export async function newestService(
  stores: Pick<StorageProvider, 'named'>,
  { namespace, name }: ServiceName,
): Promise<Service | undefined> {
  const { collection } = await stores.named('', 'v1', 'services');
  return (await collection.mostRecent()).get(namespace, name)?.decode();
}
