import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import type { PodFollower } from './container-logs.ts';

const resource = { group: '', version: 'v1', resource: 'pods' };

/** Follows one pod in the store. */
export async function followPod(stores: ResourceStores, { metadata }: Pod): Promise<PodFollower> {
  const { namespace = '', name = '', uid } = metadata;
  const client = await LoopbackClient.open<Pod>(stores, resource, loopbackWriter());
  let wake = (): void => undefined;
  let hasChanged = false;
  const stop = client.collection.watch({
    after: client.collection.latest().revision,
    namespace,
    name,
    onEvent: () => {
      hasChanged = true;
      wake();
    },
  });
  return {
    current() {
      const pod = client.get(namespace, name);
      return pod?.metadata.uid === uid ? pod : undefined;
    },
    async changed(ms, signal) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        const cancel = ms === undefined ? () => undefined : stores.clock.after(Math.max(0, ms), resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (hasChanged || signal.aborted) {
          cancel();
          resolve();
        }
      });
      hasChanged = false;
      wake = () => undefined;
    },
    close: () => stop(),
  };
}
