import type { ControllerContext } from '../controllers/controller-context.ts';

/** What simulated nodes need of the server. */
export type SimulationContext = Pick<ControllerContext, 'stores' | 'informers' | 'logger'>;
