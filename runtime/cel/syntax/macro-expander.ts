import type { Expr, NodeId } from './ast.ts';
import type { Issues } from './errors.ts';
import { type Macro, MacroError, MacroFactory } from './macros.ts';
import type { NodeIds } from './node-ids.ts';

/** Expands the calls that are macros. */
export class MacroExpander {
  readonly #macros = new Map<string, Macro>();
  readonly #ids: NodeIds;
  readonly #issues: Issues;

  constructor(macros: readonly Macro[], ids: NodeIds, issues: Issues) {
    for (const macro of macros) this.#macros.set(macroKey(macro.name, macro.receiver, macro.args), macro);
    this.#ids = ids;
    this.#issues = issues;
  }

  /** Returns undefined if the call is not a macro. Reports a macro that is used incorrectly. */
  expand(id: NodeId, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
    const receiver = target !== undefined;
    const macro = this.#macros.get(macroKey(name, receiver, args.length)) ?? this.#macros.get(macroKey(name, receiver, undefined));
    if (macro === undefined) return undefined;
    const { offsets } = this.#ids;
    const offset = offsets.get(id) ?? 0;
    const factory = new MacroFactory(
      () => this.#ids.at(offset),
      (node) => this.#ids.at(offsets.get(node) ?? offset),
    );
    const expanded = macro.expand(factory, target, ...args);
    if (!(expanded instanceof MacroError)) return expanded;
    this.#issues.report(offsets.get(expanded.id) ?? offset, expanded.message);
    return { kind: 'unspecified', id };
  }
}

const macroKey = (name: string, receiver: boolean, args: number | undefined): string => `${name}:${args ?? '*'}:${receiver}`;
