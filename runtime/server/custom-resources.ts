import { CustomResources } from '../extensions/crd/custom-resources.ts';
import type { TypeDefinition } from '../machinery/resource.ts';
import type { Logger } from '../observe/logger.ts';
import type { ResourceStores } from '../resources/stores.ts';

/** Serves what CustomResourceDefinitions define; resolves when all that are established are served. */
export async function serveCustomResources(stores: ResourceStores, logger: Logger): Promise<CustomResources> {
  const customResources = new CustomResources({
    stores,
    report: (err) => logger.error({ err }, 'a custom resource definition could not be followed'),
    scaleType,
  });
  await customResources.start();
  return customResources;
}

/** autoscaling/v1 Scale. */
export async function scaleType(): Promise<TypeDefinition> {
  return (await import('../../generated/v1.35/autoscaling/v1/resources.ts')).scaleType;
}
