import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { PodDisruptionBudget } from '../../../generated/v1.35/policy/v1/types.ts';
import { quote } from '../../machinery/go/quote.ts';
import type { Controller } from '../../reconcile/controller.ts';
import { writerOfController } from '../../reconcile/controller-writer.ts';
import { EventRecorder, referenceTo } from '../../reconcile/events/event-recorder.ts';
import { QueueController } from '../../reconcile/queue-controller.ts';
import { LoopbackClient } from '../../resources/loopback-client.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { BudgetSync, isCovered } from './budget-sync.ts';
import { ControllerScales } from './controller-scales.ts';
import { StaleDisruptionTargets } from './stale-disruption-targets.ts';

const name = 'disruption-controller';
const podResource = { group: '', version: 'v1', resource: 'pods' };
const budgetResource = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };

/** Keeps the statuses of PodDisruptionBudgets. (pkg/controller/disruption) */
export class DisruptionController implements Controller {
  readonly #queues: QueueController;
  #stale: StaleDisruptionTargets | undefined;

  constructor(context: WorkloadContext) {
    this.#queues = this.#newQueue(context);
  }

  start(): Promise<void> {
    return this.#queues.start();
  }

  async close(): Promise<void> {
    await this.#queues.close();
    await this.#stale?.close();
  }

  #newQueue(context: WorkloadContext): QueueController {
    const { stores, informers, logger } = context;
    return new QueueController({
      context,
      name,
      concurrency: 1,
      open: async (queue) => {
        const writer = writerOfController(name);
        const budgets = await informers.of<PodDisruptionBudget>(budgetResource);
        const pods = await informers.of<Pod>(podResource);
        const recorder = new EventRecorder(stores, 'controllermanager', writer);
        const stale = new StaleDisruptionTargets({
          clock: stores.clock,
          pods,
          client: await LoopbackClient.open<Pod>(stores, podResource, writer),
          report: (err) => logger.error({ err, controller: name }, 'a stale condition could not be reset'),
        });
        this.#stale = stale;
        const enqueueBudget = (pod: Pod): void => {
          const covering = [...budgets.list(pod.metadata.namespace)].filter((budget) => isCovered(budget, pod));
          for (const budget of covering) queue.addObject(budget);
          const [first, second] = covering;
          if (first && second) recorder.event(referenceTo(pod), multipleBudgets(pod, first));
        };
        const onPod = (pod: Pod): void => {
          enqueueBudget(pod);
          stale.watch(pod);
        };
        pods.addEventHandler({ onAdd: onPod, onUpdate: (_, pod) => onPod(pod), onDelete: enqueueBudget });
        budgets.addEventHandler({
          onAdd: (budget) => queue.addObject(budget),
          onUpdate: (_, budget) => queue.addObject(budget),
        });
        const sync = new BudgetSync({
          clock: stores.clock,
          budgets,
          pods,
          recorder,
          scales: new ControllerScales(stores),
          client: await LoopbackClient.open<PodDisruptionBudget>(stores, budgetResource, writer),
        });
        return (key) => sync.run(key);
      },
    });
  }
}

const multipleBudgets = ({ metadata }: Pod, chosen: PodDisruptionBudget) =>
  ({
    type: 'Warning',
    reason: 'MultiplePodDisruptionBudgets',
    message:
      `Pod ${quote(metadata.namespace ?? '')}/${quote(metadata.name ?? '')} matches multiple PodDisruptionBudgets.  ` +
      `Chose ${quote(chosen.metadata.name ?? '')} arbitrarily.`,
  }) as const;
