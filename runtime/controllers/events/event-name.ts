import { uuid } from '../../machinery/uuid.ts';
import { dnsSubdomain } from '../../machinery/validation/name-formats.ts';

let eventCount = 0;

/**
 * The name of the object and the time in nanoseconds as hexadecimal digits. (client-go tools/record/util GenerateEventName)
 *
 * @param now in milliseconds; a counter makes names of the same millisecond different
 */
export function generateEventName(object: string, now: number): string {
  eventCount = (eventCount + 1) % 1_000_000;
  const name = `${object}.${(BigInt(now) * 1_000_000n + BigInt(eventCount)).toString(16)}`;
  return dnsSubdomain(name).length === 0 ? name : uuid();
}
