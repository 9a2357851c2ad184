import type { ControllerContext } from '../controllers/controller-context.ts';

/** The server's services that simulated nodes use. */
export type SimulationContext = Pick<ControllerContext, 'stores' | 'informers' | 'logger'>;
