import type { ReplicaSet, StatefulSet } from '../../../../generated/v1.35/apps/v1/types.ts';
import type { ReplicationController, Service } from '../../../../generated/v1.35/core/v1/types.ts';
import type { ControllerContext } from '../../../controllers/controller-context.ts';
import { defined } from '../../../machinery/json/defined.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../../machinery/selectors/label-selector.ts';
import type { IndexFunction } from '../../../reconcile/informers/index-by.ts';
import type { SharedInformer } from '../../../reconcile/informers/shared-informer.ts';
import type { PodInfo } from '../framework/pod-info.ts';

interface Owners {
  readonly services: SharedInformer<Service>;
  readonly replicationControllers: SharedInformer<ReplicationController>;
  readonly replicaSets: SharedInformer<ReplicaSet>;
  readonly statefulSets: SharedInformer<StatefulSet>;
}

/** Finds the selector of a pod and its peers. (plugins/helper/spread.go) */
export class DefaultSelector {
  readonly #owners: Owners;

  private constructor(owners: Owners) {
    this.#owners = owners;
  }

  static async open({ informers }: Pick<ControllerContext, 'informers'>): Promise<DefaultSelector> {
    const core = { group: '', version: 'v1' };
    const apps = { group: 'apps', version: 'v1' };
    return new DefaultSelector({
      services: await informers.of<Service>({ ...core, resource: 'services' }),
      replicationControllers: await informers.of<ReplicationController>({
        ...core,
        resource: 'replicationcontrollers',
      }),
      replicaSets: await informers.of<ReplicaSet>({ ...apps, resource: 'replicasets' }),
      statefulSets: await informers.of<StatefulSet>({ ...apps, resource: 'statefulsets' }),
    });
  }

  /** Combines the selectors of the pod's services and of its controller. Returns undefined if there are none. */
  of({ pod, namespace }: PodInfo): LabelSelector | undefined {
    const { services, replicationControllers, replicaSets, statefulSets } = this.#owners;
    const labels = pod.metadata.labels ?? {};
    const matchLabels: Record<string, string> = {};
    const byLabel = services.index(byFirstLabel);
    for (const [label, wanted] of Object.entries(labels)) {
      for (const { spec } of byLabel.of(labelIn(namespace, label, wanted))) {
        const selector = Object.entries(spec?.selector ?? {});
        if (!selector.every(([name, value]) => labels[name] === value)) continue;
        for (const [name, value] of selector) matchLabels[name] = value;
      }
    }
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller);
    const kind = `${owner?.apiVersion}/${owner?.kind}`;
    const name = owner?.name ?? '';
    const { matchLabels: owned, matchExpressions } =
      (kind === 'v1/ReplicationController' && {
        matchLabels: replicationControllers.get(namespace, name)?.spec?.selector,
        matchExpressions: undefined,
      }) ||
      (kind === 'apps/v1/ReplicaSet' && replicaSets.get(namespace, name)?.spec?.selector) ||
      (kind === 'apps/v1/StatefulSet' && statefulSets.get(namespace, name)?.spec?.selector) ||
      {};
    const selector = labelSelectorFromObject(defined({ matchLabels: { ...matchLabels, ...owned }, matchExpressions }));
    return selector.isEmpty ? undefined : selector;
  }
}

const labelIn = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`;

/** Indexes services by the first label of their selector. */
const byFirstLabel: IndexFunction<Service> = ({ metadata, spec }) => {
  const { namespace = '' } = metadata;
  const [first] = Object.entries(spec?.selector ?? {});
  return first === undefined ? [] : [labelIn(namespace, ...first)];
};
