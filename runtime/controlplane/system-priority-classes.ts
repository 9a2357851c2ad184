import type { PriorityClass } from '../../generated/v1.35/scheduling.k8s.io/v1/types.ts';
import { systemPriorityClasses } from '../kinds/scheduling.k8s.io/priority-class.ts';
import { LoopbackClient } from '../resources/loopback-client.ts';
import { loopbackWriter } from '../resources/loopback-writer.ts';
import type { ResourceStores } from '../resources/stores.ts';

const resource = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };

/** Creates the priority classes of every cluster. (pkg/registry/scheduling/rest AddSystemPriorityClasses) */
export async function addSystemPriorityClasses(stores: ResourceStores): Promise<void> {
  if (!stores.serves(resource.group, resource.version, resource.resource)) return;
  const classes = await LoopbackClient.open<PriorityClass>(stores, resource, loopbackWriter('kube-apiserver'));
  await Promise.all(systemPriorityClasses.map((one) => classes.createIfAbsent(one)));
}
