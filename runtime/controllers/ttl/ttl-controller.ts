import type { Node } from '../../../generated/v1.35/core/v1/types.ts';
import { elementAt } from '../../machinery/collections/element-at.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';

const nodesResource = { group: '', version: 'v1', resource: 'nodes' };
const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';

/**
 * Seconds that kubelets may cache secrets and config maps, by the size of the cluster. The ranges overlap.
 * (ttlBoundaries)
 */
const boundaries = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1000, seconds: 30 },
  { min: 900, max: 2000, seconds: 60 },
  { min: 1800, max: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

/** Annotates nodes with the time that kubelets may cache secrets and config maps. (pkg/controller/ttl) */
export function ttlController(context: WorkloadContext): Controller {
  const { stores, informers } = context;
  let size = 0;
  let step = 0;
  const boundary = () => elementAt(boundaries, step);
  const count = (change: 1 | -1): void => {
    size += change;
    if (size > boundary().max) step++;
    if (size < boundary().min) step--;
  };
  const isRight = ({ metadata }: Node): boolean => Number(metadata.annotations?.[ttlAnnotation] ?? Number.NaN) === boundary().seconds;
  return new QueueController({
    context,
    name: 'ttl-controller',
    async open(queue) {
      const nodes = await informers.of<Node>(nodesResource);
      const client = await LoopbackClient.open<Node>(stores, nodesResource, writerOfController('ttl-controller'));
      const check = (node: Node): void => {
        if (!isRight(node)) queue.addObject(node);
      };
      nodes.addEventHandler({
        onAdd(node) {
          count(1);
          check(node);
        },
        // existing nodes get a new value when their statuses are written
        onUpdate: (_before, after) => check(after),
        onDelete: () => count(-1),
      });
      return async (key) => {
        const node = nodes.get('', key.name);
        if (node === undefined || isRight(node)) return 'done';
        await client.modify(key, (current) => {
          current.metadata.annotations = {
            ...current.metadata.annotations,
            [ttlAnnotation]: String(boundary().seconds),
          };
          return current;
        });
        return 'done';
      };
    },
  });
}
