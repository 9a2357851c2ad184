import type { MatchResources, ParamKind, ParamRef } from '../../../generated/v1.35/admissionregistration.k8s.io/v1/types.ts';
import { messageOf } from '../../machinery/errors/message-of.ts';
import type { KubeObject } from '../../machinery/object.ts';

/** The common fields of validating and mutating policies. (policy/generic PolicyAccessor) */
export interface Policy extends KubeObject {
  readonly spec?: {
    readonly paramKind?: ParamKind;
    readonly matchConstraints?: MatchResources;
    readonly failurePolicy?: string;
  };
}

/** (policy/generic BindingAccessor) */
export interface Binding extends KubeObject {
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
  };
}

export const nameOf = ({ metadata }: Policy | Binding): string => metadata.name ?? '';

/** An error in a policy or a binding, in contrast to errors of its expressions. */
export class ConfigurationError extends Error {
  readonly isConfigurationError = true;
}

/**
 * Returns the message of an error that makes a policy or a binding fail. @throws errors that must end the evaluation,
 * such as EventLoopBudgetError
 */
export function configurationProblem(error: unknown): string {
  const { isConfigurationError, isStatusError } = error as { isConfigurationError?: boolean; isStatusError?: boolean };
  if (isConfigurationError === true || isStatusError === true) return messageOf(error);
  throw error;
}
