import { OptionError } from '../../options/server-options.ts';
import { type ControllerName, controllerNames, selectControllers } from '../../reconcile/controller-selection.ts';

/** @throws OptionError for unknown controllers */
export function parseControllers(texts: readonly string[] | undefined, simulates: boolean): ReadonlySet<ControllerName> {
  const { enabled, unknown } = selectControllers(texts, simulates);
  if (unknown.length === 0) return enabled;
  const names = unknown.map((name) => JSON.stringify(name.replace(/^-/, ''))).join(', ');
  throw new OptionError(`--controllers: ${names} is not in the list of known controllers: ${controllerNames.join(', ')}`);
}
