import type { KubeObject } from '../machinery/object.ts';
import type { WarningRules } from '../structural/warnings/rules.ts';
import type { HookTable, ResourceHooks, WriteContext } from './hooks.ts';
import type { UpdateRequest } from './update.ts';

/** Tells the writer of a valid object what its resource has to say about it. */
export function tellWarnings(
  { warnings }: ResourceHooks,
  object: KubeObject,
  old: KubeObject | undefined,
  context: WriteContext,
  part: UpdateRequest['part'],
): void {
  if (warnings === undefined) return;
  for (const text of warnings(object, old, context, part)) context.warn(text);
}

/** The table with the rules of what writers are told, by "group/plural" as well. */
export function withWarnings(table: HookTable, rules: Readonly<Record<string, WarningRules>>): HookTable {
  const found: Record<string, ResourceHooks> = { ...table };
  for (const [key, rule] of Object.entries(rules)) found[key] = { ...found[key], warnings: hookOf(rule) };
  return found;
}

const hookOf =
  (rule: WarningRules): NonNullable<ResourceHooks['warnings']> =>
  (object, old, _context, part) => {
    if (old === undefined) return rule.onCreate?.(object) ?? [];
    if (part === 'status') return rule.onStatusUpdate?.(object) ?? [];
    return part === 'main' ? (rule.onUpdate?.(object, old) ?? []) : [];
  };
