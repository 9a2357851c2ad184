import { borrowingAdjustmentPeriod } from '../../flowcontrol/concurrency/borrowing.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { type FlowSchema, flowControlGroup, type PriorityLevelConfiguration } from '../../flowcontrol/objects.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { GroupVersionResource } from '../../machinery/gvk.ts';
import type { KubeObject } from '../../machinery/object.ts';
import type { DelegateObjects } from './delegate-objects.ts';

/**
 * Configures flow control with the delegate's objects once they are known. Leaves their status to the delegate.
 * (apiserver pkg/server/options FeatureOptions.ApplyTo)
 *
 * @returns a function that ends that
 */
export function followFlowControl(flowControl: FlowControl, delegate: DelegateObjects, clock: Clock): () => void {
  const levels = delegate.follow<PriorityLevelConfiguration & KubeObject>(resource('prioritylevelconfigurations'));
  const schemas = delegate.follow<FlowSchema & KubeObject>(resource('flowschemas'));
  let isOver = false;
  const configure = (): void => {
    if (!isOver && levels.hasSynced && schemas.hasSynced) flowControl.configure(levels.list(), schemas.list());
  };
  levels.onChange(configure);
  schemas.onChange(configure);
  let cancel = (): void => undefined;
  const borrow = (): void => {
    cancel = clock.after(borrowingAdjustmentPeriod, () => {
      flowControl.updateBorrowing();
      borrow();
    });
  };
  borrow();
  return () => {
    isOver = true;
    cancel();
  };
}

const resource = (name: string): GroupVersionResource => ({ group: flowControlGroup, version: 'v1', resource: name });
