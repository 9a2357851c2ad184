import type { Pod } from '../../../generated/v1.35/core/v1/types.ts';
import type { Endpoint } from './endpoint.ts';
import type { Listener } from './listener.ts';
import { annotatedListener, declaredListener } from './port-answers.ts';

/**
 * Returns what listens on a port of a running pod; undefined if nothing does.
 *
 * @throws Error for a port of this machine that may not be reached
 */
export function podListener(
  pod: Pod,
  { port, protocol }: Pick<Endpoint, 'port' | 'protocol'>,
  allowsLocalhost: boolean,
): Listener | undefined {
  if (protocol !== 'TCP') return undefined;
  return annotatedListener(pod, port, allowsLocalhost) ?? declaredListener(pod, port);
}
