import { requireOptions } from './check-options.ts';
import { checked, type OptionType } from './option-type.ts';

const isGiven = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Checks what a program gives for the resources of its group; what is wrong inside of it, the server says.
 *
 * @param name as `strategies`
 * @param resources the names that members can have
 * @throws OptionError for another member, which names the one that was meant
 */
export function requireResources(name: string, given: object, resources: readonly string[]): void {
  const member: OptionType = checked('an object', isGiven);
  const members = Object.fromEntries(resources.map((resource) => [resource, member]));
  const type: OptionType = { kind: 'object', members, required: [], isImplemented: true };
  requireOptions({ kind: 'object', members: { [name]: type }, required: [], isImplemented: false }, { [name]: given });
}
