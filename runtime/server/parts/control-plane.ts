import { part } from '../assembly/part.ts';
import { authentication } from './auth.ts';
import { controlPlane } from './bootstrap.ts';
import { dormancy, startedFlowControl } from './flow-control.ts';
import { serving } from './serving.ts';

/** Starts the controllers of kube-apiserver that need the port. */
export const startedControlPlane = part('startedControlPlane', {
  needs: { controlPlane, serving, authentication, dormancy, startedFlowControl },
  async open({ controlPlane, serving: { listener }, authentication, dormancy, startedFlowControl }) {
    await startedFlowControl.ready;
    if (dormancy === undefined) await controlPlane.run(listener.port, authentication);
    else await controlPlane.sleep(listener.port, authentication, dormancy.alarm);
  },
});
