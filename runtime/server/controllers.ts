import { type ControllerName, controllerNames, selectControllers } from '../controllers/selection.ts';
import { OptionError } from './feature-gates.ts';

/** @throws OptionError for names that no controller has */
export function parseControllers(texts: readonly string[] | undefined): ReadonlySet<ControllerName> {
  const { enabled, unknown } = selectControllers(texts);
  if (unknown.length === 0) return enabled;
  const names = unknown.map((name) => JSON.stringify(name.replace(/^-/, ''))).join(', ');
  throw new OptionError(
    `--controllers: ${names} is not in the list of known controllers: ${controllerNames.join(', ')}`,
  );
}
