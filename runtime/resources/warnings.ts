import type { KubeObject } from '../machinery/object.ts';
import type { WarningRules } from '../structural/warnings/rules.ts';
import type { RESTStrategy, StrategyTable, WriteContext } from './rest.ts';

/**
 * Adds the warnings that the strategy has about a valid object to the response.
 *
 * @param old undefined on creation
 */
export function addWarnings(
  { warnings }: RESTStrategy,
  object: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
): void {
  if (warnings === undefined) return;
  for (const text of warnings(object, old, context)) context.warn(text);
}

/** Adds the warnings of built-in kinds, by "group/plural", to the strategies. */
export function withWarnings(table: StrategyTable, rules: Readonly<Record<string, WarningRules>>): StrategyTable {
  const strategies: Record<string, RESTStrategy> = { ...table };
  for (const [key, rule] of Object.entries(rules)) strategies[key] = { ...strategies[key], warnings: warningsBy(rule) };
  return strategies;
}

const warningsBy =
  (rule: WarningRules): NonNullable<RESTStrategy['warnings']> =>
  (object, old, { part }) => {
    if (old === undefined) return rule.onCreate?.(object) ?? [];
    if (part === 'status') return rule.onStatusUpdate?.(object) ?? [];
    return part === 'main' ? (rule.onUpdate?.(object, old) ?? []) : [];
  };
