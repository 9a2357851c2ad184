import { compileExpression, createEnvironment, jsonValue } from '../../../runtime/cel/expression.ts';
import { newRuleValidator, validateRules } from '../../../runtime/cel/rules/validate.ts';
import { type DeclType, schemaDeclType } from '../../../runtime/cel/types/decl-type.ts';
import type { Json } from '../../../runtime/machinery/object.ts';
import type { JsonSchema } from '../../../runtime/machinery/schema/json-schema.ts';
import type { Report } from '../report.ts';

const integer: JsonSchema = { type: 'integer' };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    minReplicas: integer,
    replicas: integer,
    maxReplicas: integer,
    image: { type: 'string', maxLength: 256 },
    ports: {
      type: 'array',
      maxItems: 20,
      items: { type: 'object', properties: { name: { type: 'string' }, number: integer } },
    },
  },
};

const object: Json = {
  minReplicas: 1,
  replicas: 3,
  maxReplicas: 5,
  image: 'registry.example/app:v1',
  ports: Array.from({ length: 10 }, (_, i) => ({ name: `port-${i}`, number: 8000 + i })),
};

const sources = [
  'self.minReplicas <= self.replicas',
  "self.image.startsWith('registry.example/')",
  "self.image.matches('^[a-z./]+:v[0-9]+$')",
  'self.ports.all(port, port.number > 1024 && port.number < 65536)',
];

/**
 * Returns calls per second over at least a second. The best slice counts, because other work on the machine only slows
 * it.
 */
function rate(work: () => void): number {
  for (let i = 0; i < 5_000; i++) work();
  let best = 0;
  for (let slice = 0; slice < 12; slice++) {
    const start = process.hrtime.bigint();
    let calls = 0;
    while (process.hrtime.bigint() - start < 100_000_000n) {
      for (let i = 0; i < 100; i++) work();
      calls += 100;
    }
    best = Math.max(best, (calls * 1e9) / Number(process.hrtime.bigint() - start));
  }
  return best;
}

function figure(report: Report, what: string, work: () => void, target = ''): void {
  report.row(what, `${Math.round(rate(work)).toLocaleString('en')}/s`, '', target);
}

/** Measures expressions over a JSON object with cost counting, ten rules over an object, and compilation. */
export async function expressions(report: Report): Promise<void> {
  const environment = createEnvironment({ variables: { self: schemaDeclType(schema, false) as DeclType } });
  const self = jsonValue(object, schema);
  for (const source of sources) {
    const { program } = compileExpression(source, environment);
    if (!program) throw new Error(`does not compile: ${source}`);
    const variables = { self };
    const target = source === sources[0] ? '2,000,000/s' : '';
    figure(report, `expression ${source}`, () => program.evaluate(variables, 1_000_000), target);
  }
  const rules = [...sources, ...sources, ...sources.slice(0, 2)].map((rule) => ({ rule }));
  const tree = newRuleValidator({ ...schema, 'x-kubernetes-validations': rules }, false);
  if (!tree) throw new Error('no rules');
  figure(report, 'objects against ten rules', () => validateRules(tree, { self: object }));
  figure(report, 'expressions compiled', () => compileExpression(sources[0], environment));
}
