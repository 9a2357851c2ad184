import { quote } from '../../machinery/quote.ts';
import { always, none, type WarningRules } from './rules.ts';

/** (pkg/registry/resource/resourceslice/strategy.go) */
export const resourceSlices: WarningRules = always(({ spec }) => {
  const driver: string = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return none;
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
});
