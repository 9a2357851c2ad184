import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { type DeclType, itemSchema, schemaDeclType, valueSchema, withTypeAndObjectMeta } from '../types/decl-type.ts';
import { escapeProperty } from '../types/escaping.ts';
import { type CompilationResult, RuleCompiler } from './compile.ts';

/** The rules anywhere in the schema; undefined where it has none. `isRoot`: of a whole custom resource. */
export function newRuleValidator(schema: JsonSchema, isRoot: boolean): RuleValidator | undefined {
  if (!containsRules(schema)) return undefined;
  return new RuleValidator(schema, schema, isRoot, schemaDeclType(schema, isRoot));
}

const containsRules: (schema: JsonSchema) => boolean = perSchema((schema) => {
  if ((schema['x-kubernetes-validations']?.length ?? 0) > 0) return true;
  for (const child of [itemSchema(schema), valueSchema(schema)]) if (child && containsRules(child)) return true;
  for (const child of Object.values(schema.properties ?? {})) if (containsRules(child)) return true;
  return (schema.allOf ?? []).some(containsRules);
});

const embedded = (schema: JsonSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/**
 * The rules of a schema node and of what is below it. Each rule is compiled when a value first meets it, and stays: where
 * that takes long for the thread, the next attempt goes on from there.
 */
export class RuleValidator {
  /** What values are read by. */
  readonly schema: JsonSchema;
  /** Why no rule of the node can run. */
  readonly failure: string | undefined;
  readonly #rules: JsonSchema;
  readonly #own: JsonSchema;
  readonly #isRoot: boolean;
  readonly #type: DeclType | undefined;
  readonly #compiled: CompilationResult[] = [];
  #compiler: RuleCompiler | undefined;
  #properties: ReadonlyMap<string, RuleValidator> | undefined;
  #below: Pick<RuleValidator, 'items' | 'values' | 'allOf'> | undefined;

  /** @param rules where the rules are written: the schema itself, or a part of its allOf */
  constructor(rules: JsonSchema, schema: JsonSchema, isRoot: boolean, type: DeclType | undefined) {
    this.#rules = rules;
    this.#own = schema;
    this.#isRoot = isRoot;
    this.#type = type;
    this.schema = isRoot ? withTypeAndObjectMeta(schema) : schema;
    const lost = type === undefined && this.#written.length > 0;
    this.failure = lost ? 'failed to convert to declType for CEL validation rules' : undefined;
  }

  get #written(): readonly unknown[] {
    return this.#rules['x-kubernetes-validations'] ?? [];
  }

  get type(): string {
    return this.schema.type ?? '';
  }

  get isEmpty(): boolean {
    return this.#written.length === 0;
  }

  /** @throws EventLoopBudgetError where compiling one takes too long for the thread */
  *rules(): Generator<CompilationResult> {
    if (!this.#type) return;
    const written = this.#rules['x-kubernetes-validations'] ?? [];
    for (let at = 0; at < written.length; at++) {
      if (at >= this.#compiled.length) {
        this.#compiler ??= new RuleCompiler(this.#own, this.#type);
        this.#compiled.push(this.#compiler.compile(written[at]));
      }
      yield this.#compiled[at];
    }
  }

  get items(): RuleValidator | undefined {
    return this.#children.items;
  }

  get values(): RuleValidator | undefined {
    return this.#children.values;
  }

  /** Rules within allOf, which see the same value. */
  get allOf(): readonly RuleValidator[] {
    return this.#children.allOf;
  }

  get properties(): ReadonlyMap<string, RuleValidator> {
    this.#properties ??= this.#makeProperties();
    return this.#properties;
  }

  get #children(): Pick<RuleValidator, 'items' | 'values' | 'allOf'> {
    if (this.#below) return this.#below;
    const at = (rules: JsonSchema | undefined, schema: JsonSchema | undefined): RuleValidator | undefined => {
      if (!rules || !schema || !containsRules(rules)) return undefined;
      return new RuleValidator(rules, schema, embedded(schema), this.#type?.element);
    };
    this.#below = {
      items: at(itemSchema(this.#rules), itemSchema(this.#own)),
      values: at(valueSchema(this.#rules), valueSchema(this.#own)),
      allOf: (this.#rules.allOf ?? [])
        .filter(containsRules)
        .map((part) => new RuleValidator(part, this.#own, this.#isRoot, this.#type)),
    };
    return this.#below;
  }

  #makeProperties(): ReadonlyMap<string, RuleValidator> {
    const found = new Map<string, RuleValidator>();
    const declared = this.#own.properties ?? {};
    for (const [name, child] of Object.entries(this.#rules.properties ?? {})) {
      const node = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (!node || !containsRules(child)) continue;
      const escaped = escapeProperty(name);
      const type = escaped === undefined ? schemaDeclType(node, embedded(node)) : this.#type?.fields?.get(escaped);
      if (type) found.set(name, new RuleValidator(child, node, embedded(node), type));
    }
    return found;
  }
}
