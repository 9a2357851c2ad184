import type { Container } from '../../../../generated/v1.35/core/v1/types.ts';
import { quote } from '../../../machinery/go/quote.ts';

/**
 * Returns the number of a port that a probe or a hook names. (probe.ResolveContainerPort)
 *
 * @throws Error
 */
export function portOf(port: number | string, { ports = [] }: Container): number {
  if (typeof port === 'number') return port;
  const named = ports.find(({ name }) => name === port);
  if (named !== undefined) return named.containerPort;
  if (/^\d{1,5}$/.test(port)) return Number(port);
  throw new Error(`strconv.Atoi: parsing ${quote(port)}: invalid syntax`);
}
