import type { Fault } from '../fault-plan.ts';
import type { FaultAction, FaultedServer } from './action.ts';
import { CompactAction } from './compact.ts';
import { CutAction } from './cut.ts';
import { DelayAction } from './delay.ts';
import { DropAction } from './drop.ts';
import { HoldEventsAction } from './hold-events.ts';
import { PartitionAction } from './partition.ts';
import { RestartAction } from './restart.ts';
import { StaleReadAction } from './stale-read.ts';
import { StatusAction } from './status.ts';
import { WatchAction } from './watch.ts';

type Actions = { readonly [F in keyof Fault]-?: (fault: NonNullable<Fault[F]>, server: FaultedServer) => FaultAction };

const actions: Actions = {
  status: (fault) => new StatusAction(fault),
  delay: (fault, { clock }) => new DelayAction(fault, clock),
  drop: (fault, server) => new DropAction(fault, server),
  cut: (fault, server) => new CutAction(fault, server),
  watch: (fault) => new WatchAction(fault),
  staleRead: (fault, server) => new StaleReadAction(fault, server),
  holdEvents: (fault, { clock }) => new HoldEventsAction(fault, clock),
  compact: (_, { store }) => new CompactAction(store),
  restart: (_, server) => new RestartAction(server),
  partition: (fault, server) => new PartitionAction(fault, server),
};

/** The members of a fault. A fault has exactly one. */
export const faultNames = Object.keys(actions) as readonly (keyof Fault)[];

/** @param fault a valid fault */
export function newAction(fault: Fault, server: FaultedServer): FaultAction {
  const name = faultNames.find((one) => fault[one] !== undefined) as keyof Fault;
  const make = actions[name] as (fault: unknown, server: FaultedServer) => FaultAction;
  return make(fault[name], server);
}
