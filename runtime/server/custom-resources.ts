import { CustomResources } from '../extensions/crd/custom-resources.ts';
import type { Logger } from '../machinery/logger.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** Serves custom resources. Resolves when all established definitions are served. */
export async function serveCustomResources(stores: ResourceStores, logger: Logger): Promise<CustomResources> {
  const customResources = new CustomResources({
    stores,
    report: (err) => logger.error({ err }, 'a custom resource definition could not be processed'),
    scaleType,
  });
  await customResources.start();
  return customResources;
}

/** The type of Scale in autoscaling/v1. */
export async function scaleType(): Promise<TypeDefinition> {
  return (await import('../../generated/v1.35/autoscaling/v1/resources.ts')).scaleType;
}
