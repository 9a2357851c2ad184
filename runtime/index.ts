export type { ApiGroup, ResourceStrategy, StrategyColumn, StrategyRequest } from './machinery/api-group.ts';
export type { FieldError } from './machinery/field-error.ts';
export * as fieldErrors from './machinery/field-error.ts';
export { FieldPath } from './machinery/field-path.ts';
export type { ServerOptions } from './server/options.ts';
export type { RunningServer } from './server/server.ts';
export { startServer } from './server/server.ts';
