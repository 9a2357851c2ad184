import type { ProcessName } from '../../reconcile/controller-selection.ts';
import { optional, part } from '../assembly/part.ts';
import { controllerManager } from './controllers.ts';
import { config } from './inputs.ts';
import { serving } from './serving.ts';
import { fixtures, requestLog } from './test-kit.ts';

/** Controllers whose first objects must exist before the server is ready, such as the rules of admin, edit and view. */
const awaited: readonly ProcessName[] = [
  'clusterrole-aggregation-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'kubelets',
];

/** Writes the fixtures before the controllers start. */
export const loadedFixtures = part('loadedFixtures', {
  needs: { serving, controllerManager, fixtures: optional(fixtures), requestLog: optional(requestLog) },
  async open({ serving, fixtures, requestLog }) {
    await fixtures?.load(serving);
    // the log for tests begins here
    requestLog?.clear();
  },
});

/** Starts the controllers. */
export const startedControllers = part('startedControllers', {
  needs: { config, controllerManager, loadedFixtures },
  async open({ config: { startOrder }, controllerManager }) {
    await controllerManager.start();
    await Promise.all(awaited.map((name) => controllerManager.whenSynced(name)));
    // in a fixed start order, waits until all others have started
    await startOrder(() => undefined);
  },
});
