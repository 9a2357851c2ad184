import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../../../../generated/v1.35/apiextensions.k8s.io/v1/types.ts';
import { newRuleValidator, validateRules } from '../../../../runtime/cel/rules/validate.ts';
import { validateCustomResourceDefinition } from '../../../../runtime/extensions/crd/validation/index.ts';
import { parseGroupVersion } from '../../../../runtime/machinery/gvk.ts';
import type { JsonObject } from '../../../../runtime/machinery/object.ts';
import { PruneContext } from '../../../../runtime/machinery/prune/context.ts';
import type { JsonSchema } from '../../../../runtime/machinery/schema/json-schema.ts';
import { type FieldError, fieldErrorMessage } from '../../../../runtime/machinery/validation/field-error.ts';
import { FieldPath } from '../../../../runtime/machinery/validation/field-path.ts';
import { type CompiledSchema, compileSchema, type SchemaRules } from '../../../../runtime/structural/schema/compile.ts';
import { explain } from '../../../../runtime/structural/schema/explain.ts';
import { type SchemaNode, schemaNode } from '../../../../runtime/structural/schema/nodes.ts';
import { Corpus, type CorpusObject } from '../../../support/crd-corpus.ts';
import { withoutBudget } from '../../../support/event-loop-budget.ts';
import { Random } from '../../../support/random.ts';
import { describeShared } from '../../../support/shared.ts';
import type { TestObject } from '../../../support/test-object.ts';
import { mutationsOf } from './mutations.ts';

withoutBudget();

function rulesOf(schema: JsonSchema): SchemaRules | undefined {
  const tree = newRuleValidator(schema, true);
  return (
    tree && {
      validate: (self, oldSelf, path, { errors }) => {
        const input = { self, path, ...(oldSelf === undefined ? {} : { oldSelf }) };
        errors.push(...validateRules(tree, input).errors);
      },
    }
  );
}

const seedOf = (text: string): number => [...text].reduce((seed, char) => (seed * 31 + char.charCodeAt(0)) | 0, 7);

describeShared('definitions and resources of real projects', (shared) => {
  const corpus = new Corpus(join(shared, 'corpus'));
  let definitions: CorpusObject[];
  let samples: { file: string; object: TestObject; compiled: CompiledSchema }[];
  const compiled = new Map<string, CompiledSchema>();

  beforeAll(() => {
    definitions = corpus.definitions();
    for (const { object } of definitions) {
      const { group, names, versions } = object.spec;
      for (const { name, schema, subresources } of versions) {
        const rules = rulesOf(schema.openAPIV3Schema);
        const options = { scale: subresources?.scale, ...(rules ? { rules } : {}) };
        compiled.set(`${group}/${name}/${names.kind}`, compileSchema(schema.openAPIV3Schema, options));
      }
    }
    samples = corpus.samples('samples').flatMap((sample) => {
      const schema = schemaOf(sample.object);
      return schema ? [{ ...sample, compiled: schema }] : [];
    });
  });

  function schemaOf({ apiVersion = '', kind }: TestObject): CompiledSchema | undefined {
    const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
    return compiled.get(`${group}/${version}/${kind}`);
  }

  /** Returns a write's outcome: the errors, the unknown fields and the object. */
  function written(schema: CompiledSchema, body: TestObject): { errors: FieldError[]; unknown: string[]; object: TestObject } {
    const context = new PruneContext({ collectUnknown: true });
    const object = schema.prune(body, context);
    schema.setDefaults(object);
    const errors: FieldError[] = [];
    schema.validate(object, FieldPath.root, errors);
    return { errors, unknown: context.strictErrors, object };
  }

  test('every definition is accepted', () => {
    const rejected = definitions.flatMap(({ file, object }) => {
      const errors: FieldError[] = [];
      validateCustomResourceDefinition(object as CustomResourceDefinition, errors);
      return errors.map((error) => `${file}: ${fieldErrorMessage(error)}`);
    });
    expect(rejected).toEqual([]);
    expect(definitions.length).toBeGreaterThan(100);
  });

  test('every resource conforms to its schema without unknown fields, and is accepted', () => {
    const rejected = samples.flatMap(({ file, object, compiled: schema }) => {
      const { errors, unknown } = written(schema, object);
      return [...errors.map(fieldErrorMessage), ...unknown].map((text) => `${file}: ${text}`);
    });
    expect(rejected).toEqual([]);
    expect(samples.length).toBeGreaterThan(500);
  });

  test('the bad examples of their authors are rejected', () => {
    const accepted = corpus.samples('samples-invalid').flatMap(({ file, object }) => {
      const schema = schemaOf(object);
      return schema && written(schema, object).errors.length === 0 ? [file] : [];
    });
    expect(accepted).toEqual([]);
  });

  test('valid objects have no validation errors', () => {
    const nodes = new Map([...compiled.values()].map((schema) => [schema, schemaNode(schema.schema)]));
    const explained = samples.flatMap(({ file, object, compiled: schema }) => {
      const { object: good } = written(schema, object);
      return explain(nodes.get(schema) as SchemaNode, good as JsonObject, '').problems.map((one) => `${file}: ${one.message}`);
    });
    expect(explained).toEqual([]);
  });

  test('an object invalidated in ten ways is rejected with the right field each time', () => {
    const missed: string[] = [];
    const kinds = new Map<string, number>();
    for (const { file, object, compiled: schema } of samples) {
      const random = new Random(seedOf(file));
      const { length } = mutationsOf(schema.schema, structuredClone(object) as JsonObject);
      for (let round = 0; round < Math.min(10, length); round++) {
        const broken = structuredClone(object) as JsonObject;
        const mutations = mutationsOf(schema.schema, broken);
        const { kind, field, apply } = random.pick(mutations);
        apply();
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const { errors } = written(schema, broken as unknown as TestObject);
        if (!errors.some((error) => error.field === field)) {
          missed.push(`${file}: ${kind} at ${field}: ${errors.map(fieldErrorMessage).join('; ')}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect([...kinds.keys()].sort()).toEqual(['duplicate', 'enum', 'items', 'length', 'maximum', 'minimum', 'pattern', 'required', 'type']);
  });
});
