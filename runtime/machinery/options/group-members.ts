import { requireOptions } from './check-options.ts';
import { checked, type OptionType } from './option-type.ts';

const isGiven = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Checks the names of the members that a program gives for the resources of its group. The server checks their content.
 *
 * @param name of the option, as `strategies`
 * @param resources the allowed names
 * @throws OptionError for another name, with the name that was probably meant
 */
export function requireResources(name: string, given: object, resources: readonly string[]): void {
  const member: OptionType = checked('an object', isGiven);
  const members = Object.fromEntries(resources.map((resource) => [resource, member]));
  const type: OptionType = { kind: 'object', members, required: [], isImplemented: true };
  requireOptions({ kind: 'object', members: { [name]: type }, required: [], isImplemented: false }, { [name]: given });
}
