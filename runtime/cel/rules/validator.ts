import type { JsonSchema } from '../../machinery/schema/json-schema.ts';
import { perSchema } from '../../machinery/schema/per-schema.ts';
import { type DeclType, itemSchema, schemaDeclType, valueSchema, withTypeAndObjectMeta } from '../types/decl-type.ts';
import { escapeProperty } from '../types/escaping.ts';
import { type CompilationResult, RuleCompiler } from './compile.ts';

/**
 * Creates a validator of all rules in the schema; returns undefined if there are none.
 *
 * @param isRoot whether this is the schema of a whole custom resource
 */
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
 * The rules of a schema node and of the nodes below it. Each rule is compiled on first use, and then kept. If compiling
 * takes too long for this thread, the next attempt continues where this one stopped. (apiextensions
 * pkg/apiserver/schema/cel Validator)
 */
export class RuleValidator {
  /** The schema by which values are read. */
  readonly schema: JsonSchema;
  /** The reason why the rules of this node cannot run; undefined if they can. */
  readonly failure: string | undefined;
  readonly #rules: JsonSchema;
  readonly #schema: JsonSchema;
  readonly #isRoot: boolean;
  readonly #type: DeclType | undefined;
  readonly #compiled: CompilationResult[] = [];
  #compiler: RuleCompiler | undefined;
  #properties: ReadonlyMap<string, RuleValidator> | undefined;
  #childValidators: Pick<RuleValidator, 'items' | 'additionalProperties' | 'allOfValidators'> | undefined;

  /** @param rules the schema that has the rules: the schema itself or an item of its allOf */
  constructor(rules: JsonSchema, schema: JsonSchema, isRoot: boolean, type: DeclType | undefined) {
    this.#rules = rules;
    this.#schema = schema;
    this.#isRoot = isRoot;
    this.#type = type;
    this.schema = isRoot ? withTypeAndObjectMeta(schema) : schema;
    const lost = type === undefined && this.#validations.length > 0;
    this.failure = lost ? 'failed to convert to declType for CEL validation rules' : undefined;
  }

  get #validations(): readonly unknown[] {
    return this.#rules['x-kubernetes-validations'] ?? [];
  }

  get type(): string {
    return this.schema.type ?? '';
  }

  get isEmpty(): boolean {
    return this.#validations.length === 0;
  }

  /** @throws EventLoopBudgetError if compiling a rule takes too long for this thread */
  *rules(): Generator<CompilationResult> {
    if (!this.#type) return;
    const validations = this.#rules['x-kubernetes-validations'] ?? [];
    for (const [at, validation] of validations.entries()) {
      let compiled = this.#compiled[at];
      if (!compiled) {
        this.#compiler ??= new RuleCompiler(this.#schema, this.#type);
        compiled = this.#compiler.compile(validation);
        this.#compiled.push(compiled);
      }
      yield compiled;
    }
  }

  get items(): RuleValidator | undefined {
    return this.#children.items;
  }

  get additionalProperties(): RuleValidator | undefined {
    return this.#children.additionalProperties;
  }

  /** Validators of the items of allOf, which apply to the same value. */
  get allOfValidators(): readonly RuleValidator[] {
    return this.#children.allOfValidators;
  }

  get properties(): ReadonlyMap<string, RuleValidator> {
    this.#properties ??= this.#makeProperties();
    return this.#properties;
  }

  get #children(): Pick<RuleValidator, 'items' | 'additionalProperties' | 'allOfValidators'> {
    if (this.#childValidators) return this.#childValidators;
    const at = (rules: JsonSchema | undefined, schema: JsonSchema | undefined): RuleValidator | undefined => {
      if (!rules || !schema || !containsRules(rules)) return undefined;
      return new RuleValidator(rules, schema, embedded(schema), this.#type?.element);
    };
    this.#childValidators = {
      items: at(itemSchema(this.#rules), itemSchema(this.#schema)),
      additionalProperties: at(valueSchema(this.#rules), valueSchema(this.#schema)),
      allOfValidators: (this.#rules.allOf ?? [])
        .filter(containsRules)
        .map((part) => new RuleValidator(part, this.#schema, this.#isRoot, this.#type)),
    };
    return this.#childValidators;
  }

  #makeProperties(): ReadonlyMap<string, RuleValidator> {
    const found = new Map<string, RuleValidator>();
    const declared = this.#schema.properties ?? {};
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
