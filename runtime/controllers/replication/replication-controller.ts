import type { ReplicationController } from '../../../generated/v1.35/core/v1/types.ts';
import type { Controller } from '../../reconcile/controller.ts';
import type { WorkloadContext } from '../controller-context.ts';
import { newBaseController } from '../replicaset/replica-set-controller.ts';
import type { ReplicaSetKind } from '../replicaset/replica-set-kind.ts';

const replicationControllers: ReplicaSetKind = {
  resource: { group: '', version: 'v1', resource: 'replicationcontrollers' },
  apiVersion: 'v1',
  kind: 'ReplicationController',
  controllerName: 'replicationcontroller-controller',
  component: 'replication-controller',
  selectorOf: ({ spec }: ReplicationController) => spec?.selector && { matchLabels: spec.selector },
  countsTerminating: false,
};

/** Maintains the number of pods of ReplicationControllers. (pkg/controller/replication) */
export const replicationManager = (context: WorkloadContext): Controller => newBaseController(context, replicationControllers);
