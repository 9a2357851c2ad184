export type { Authorizer, AuthorizerAttributes, AuthorizerDecision, UserRules } from './authorization/authorizer.ts';
export type { ClientOptions } from './client/options.ts';
export type { Address, Dial } from './client/transport/dial.ts';
export type { AnyConverter, ApiGroup, Converter, ResourceStrategy, StrategyRequest } from './machinery/api-group.ts';
export type { Clock } from './machinery/clock.ts';
export type { Logger } from './machinery/logger.ts';
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './machinery/object.ts';
export type { RowBudget, TableCell, TableColumn } from './machinery/resource.ts';
export type { LabelSelectorObject } from './machinery/selectors/label-selector.ts';
export type { ServerClock } from './machinery/server-clock.ts';
export type { UserInfo } from './machinery/user-info.ts';
export type { FieldError } from './machinery/validation/field-error.ts';
export * as fieldErrors from './machinery/validation/field-error.ts';
export { FieldPath } from './machinery/validation/field-path.ts';
export type { FixtureSource, FixtureSources } from './options/fixture-sources.ts';
export type { PodOptions, PodProgram } from './options/pod-programs.ts';
export type { ReplaySpec } from './options/replay-spec.ts';
export type { ServerOptions } from './options/server-options.ts';
export type { SimulationOptions } from './options/simulated-cluster.ts';
export type { ForkOptions } from './server/fork/fork-options.ts';
export type { ConversionCheckOptions } from './server/groups/check-conversions.ts';
export { checkConversions } from './server/groups/check-conversions.ts';
export type { Closable, RunningServer } from './server/running-server.ts';
export { startServer } from './server/server.ts';
export type { RestoredWatches } from './storage/object-store/contract.ts';
export type { ContainerIO, LogOptions, PodHandlers, TerminalSize } from './streaming/pod-handlers.ts';
export type { ExpectationOptions } from './testkit/expectation/expectation.ts';
export type { NamedReference, ObjectLike, SelectingReference } from './testkit/expectation/object-reference.ts';
export type {
  CutFault,
  DelayFault,
  DropFault,
  Fault,
  FaultOccurrence,
  FaultPlanSpec,
  FaultTime,
  HoldEventsFault,
  PartitionFault,
  StaleReadFault,
  StatusFault,
  WatchAction,
  WatchFault,
} from './testkit/faults/fault-plan.ts';
export type { FaultPlanHandle, Faults } from './testkit/faults/faults.ts';
export type { RunningReplay } from './testkit/recording/replay.ts';
export type { RequestFilter } from './testkit/requests/request-filter.ts';
export type { RequestMatch } from './testkit/requests/request-match.ts';
export type { ErrorCode, RequestVerb, StatusCode } from './testkit/requests/request-names.ts';
export type { RequestRecord } from './testkit/requests/request-record.ts';
export type { SettledOptions } from './testkit/settling/settled.ts';
export type { RestoreOptions, Snapshot } from './testkit/snapshot/snapshots.ts';
export type { SnapshotFileOptions } from './testkit/snapshot-file/snapshot-text.ts';
