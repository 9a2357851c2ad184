import type { Node, Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { PeriodicSync } from '../../reconcile/periodic-sync.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { ControllerContext } from '../controller-context.ts';
import { PodGC } from './pod-gc.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const nodes = { group: '', version: 'v1', resource: 'nodes' };

/** Milliseconds between two passes over all pods. (gcCheckPeriod) */
const interval = 20_000;
/** Number of ended pods that are kept. (--terminated-pod-gc-threshold) */
const defaultThreshold = 12_500;

/** Deletes pods that no other component deletes. (pkg/controller/podgc) */
export function podGCController(
  { stores, informers, logger }: Pick<ControllerContext, 'stores' | 'informers' | 'logger'>,
  threshold = defaultThreshold,
): Controller {
  let gc: PodGC | undefined;
  const name = 'pod-garbage-collector-controller';
  const report = (err: unknown): void => logger.error({ err, controller: name }, 'pods could not be collected');
  const open = async (): Promise<PodGC> => {
    const client = await LoopbackClient.open<Pod>(stores, pods, writerOfController('pod-garbage-collector'));
    const [podInformer, nodeInformer] = await Promise.all([informers.of<Pod>(pods), informers.of<Node>(nodes)]);
    return new PodGC({ clock: stores.clock, pods: podInformer, nodes: nodeInformer, client, threshold, report });
  };
  return new PeriodicSync({
    clock: stores.clock,
    interval,
    report,
    sync: async () => {
      gc ??= await open();
      await gc.collect();
    },
  });
}
