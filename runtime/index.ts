export type { ApiGroup, ResourceStrategy, StrategyColumn, StrategyRequest } from './machinery/api-group.ts';
export type { FieldError } from './machinery/validation/field-error.ts';
export * as fieldErrors from './machinery/validation/field-error.ts';
export { FieldPath } from './machinery/validation/field-path.ts';
export type { Dial } from './proxy/transport.ts';
export type { ServerOptions } from './server/options.ts';
export type { RunningServer } from './server/server.ts';
export { startServer } from './server/server.ts';
export type { ContainerIO, LogOptions, PodHandlers, TerminalSize } from './streaming/pod-handlers.ts';
