import type { Controller, ControllerParts } from './controller.ts';
import { GarbageCollector } from './garbage-collector/garbage-collector.ts';
import { rootCertificatePublisher } from './namespace-defaults/root-certificates.ts';
import { serviceAccountController } from './namespace-defaults/service-account.ts';
import { NamespaceDeletion } from './namespace-deletion/namespace-deletion.ts';
import type { ControllerName } from './selection.ts';

const makers: Readonly<Record<ControllerName, (parts: ControllerParts) => Controller>> = {
  'garbage-collector-controller': (parts) => new GarbageCollector(parts),
  'namespace-controller': (parts) => new NamespaceDeletion(parts),
  'root-ca-certificate-publisher-controller': rootCertificatePublisher,
  'serviceaccount-controller': serviceAccountController,
};

export interface RunningControllers {
  /** Resolves when all of them have seen what there is. */
  readonly synced: Promise<void>;
  close(): Promise<void>;
}

/** Starts controllers in the background: nobody waits for them to have read everything. */
export function startControllers(parts: ControllerParts, names: ReadonlySet<ControllerName>): RunningControllers {
  const running = [...names].map((name) => {
    const controller = makers[name](parts);
    let closed = false;
    const synced = controller.start().catch((err: unknown) => {
      if (!closed) parts.logger.error({ err, controller: name }, 'a controller could not start');
    });
    const close = async (): Promise<void> => {
      closed = true;
      await controller.close();
      await synced;
    };
    return { synced, close };
  });
  return {
    synced: Promise.all(running.map(({ synced }) => synced)).then(() => undefined),
    async close() {
      await Promise.all(running.map(({ close }) => close()));
    },
  };
}
