import type { Container, Pod } from '../../../../generated/v1.35/core/v1/types.ts';
import { hasUnknownProgram } from '../../network/pod-listeners.ts';
import type { ContainerRuns } from '../../programs/container-runs.ts';
import { annotationOf, annotationPrefix } from '../behaviour.ts';

export const hasProbes = ({ startupProbe, livenessProbe, readinessProbe }: Container): boolean =>
  startupProbe !== undefined || livenessProbe !== undefined || readinessProbe !== undefined;

/** Annotations that replace a program. */
const replacing = ['run-for', 'exit-code', 'fail'];

/**
 * Reports whether the probes of a container run. A program that nobody knows passes them, unless annotations say what
 * answers.
 */
export function isProbed(pod: Pod, container: Container, runs: ContainerRuns): boolean {
  if (!hasProbes(container)) return false;
  if (runs.isProcess(container)) return true;
  if (replacing.some((name) => annotationOf(pod, name, container.name) !== undefined)) return false;
  return !hasUnknownProgram(container) || hasAnswers(pod);
}

function hasAnswers({ metadata: { annotations = {} } }: Pod): boolean {
  return Object.keys(annotations).some((name) => new RegExp(`^${annotationPrefix}(?:port|exec)(?:\\.|$)`).test(name));
}
