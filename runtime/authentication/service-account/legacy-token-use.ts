import { hasStatusCode } from '../../machinery/errors/status.ts';
import type { Logger } from '../../machinery/logger.ts';
import type { KubeObject } from '../../machinery/object.ts';
import { loopbackWriter } from '../../resources/loopback-writer.ts';
import type { ResourceStores } from '../../resources/stores.ts';
import { lastUsedLabel } from './legacy.ts';

/**
 * Labels the Secret of a used token with the day, in the background. (pkg/serviceaccount/legacy.go
 * legacyValidator.patchSecretWithLastUsedDate)
 */
export function markLegacyToken(stores: () => ResourceStores, logger: Logger): (namespace: string, secret: string, day: string) => void {
  const writing = new Set<string>();
  return (namespace, name, day) => {
    const key = `${namespace}/${name}`;
    if (writing.has(key)) return;
    writing.add(key);
    markSecret(stores(), namespace, name, day)
      .catch((err: unknown) => {
        // a deleted Secret needs no label
        if (!hasStatusCode(err, 404)) logger.warn({ err, namespace, name }, 'Secret not labelled');
      })
      .finally(() => writing.delete(key));
  };
}

async function markSecret(stores: ResourceStores, namespace: string, name: string, day: string): Promise<void> {
  const store = await stores.byResource('', 'v1', 'secrets');
  await store.update(
    store.definition,
    {
      namespace,
      name,
      part: 'main',
      requireVersion: false,
      change(current) {
        const secret = current as KubeObject;
        secret.metadata.labels = { ...secret.metadata.labels, [lastUsedLabel]: day };
        return secret;
      },
    },
    loopbackWriter(),
  );
}
