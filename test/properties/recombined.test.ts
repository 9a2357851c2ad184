import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changed, parsePath } from '../rules/changes.ts';
import { RuleClient } from '../rules/rule-client.ts';
import { ruleServerOptions } from '../rules/server-options.ts';
import { type Changes, isDone, type Rule, type RuleTable, readTables } from '../rules/table.ts';
import type { TestObject } from '../support/test-object.ts';
import { TestServer } from '../support/test-server.ts';
import { readSubjects } from './subjects.ts';

const rounds = Number(process.env.ROUNDS ?? 8);
const seed = Number(process.env.SEED ?? 20_261);

const server = TestServer.forSuite(ruleServerOptions);

/** Returns the changes of a row's accepted object. */
const changesOf = ({ from, with: common, accepted }: Rule): Changes => ({ ...from, ...common, ...accepted });

const startsWith = (path: readonly unknown[], start: readonly unknown[]): boolean => start.every((step, index) => step === path[index]);

/** Reports whether no field of one is equal to or inside a field of the other. */
function areApart(one: Changes, other: Changes): boolean {
  const [paths, others] = [one, other].map((changes) => Object.keys(changes).map(parsePath));
  return paths.every((path) => others.every((inner) => !startsWith(path, inner) && !startsWith(inner, path)));
}

/** Merges the changes of the first row with those of later rows about other fields. */
function recombined(rows: readonly Rule[]): Rule[] {
  const taken: Rule[] = [];
  for (const row of rows) if (taken.every((before) => areApart(changesOf(before), changesOf(row)))) taken.push(row);
  return taken;
}

/** Returns creates by the administrator without other objects, at the version of the table. */
const creates = ({ rules, apiVersion }: RuleTable): Rule[] =>
  rules.filter(
    (row) =>
      isDone(row) &&
      row.as === undefined &&
      row.given === undefined &&
      (row.on ?? 'create') === 'create' &&
      (row.apiVersion ?? apiVersion) === apiVersion,
  );

/** Returns a message without its values, after the last step of its field. */
function shapeOf(field: string, message: string): string {
  const plain = message
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/(?<=: )[[{].*[\]}](?=:)/g, '…')
    .replace(/\d+/g, '0');
  return `${field
    .replace(/\[[^\]]*\]/g, '')
    .split('.')
    .at(-1)}: ${plain}`;
}

const tables = readTables();
/** Demands in the tables. Two accepted rows may together violate a third: windows and an option of linux. */
const known = new Set(tables.flatMap(({ rules }) => rules.map(({ field, error }) => shapeOf(field, error ?? ''))));
const kinds = new Set((await readSubjects()).map(({ title }) => title));

const tried = tables.filter(
  (table) =>
    table.path === undefined && table.given === undefined && kinds.has(`${table.apiVersion} ${table.kind}`) && creates(table).length > 1,
);

describe.each(tried)('$name', (table) => {
  const base = { apiVersion: table.apiVersion, kind: table.kind, ...table.base };
  const some = fc.uniqueArray(fc.constantFrom(...creates(table)), { minLength: 2, maxLength: 4 });

  test('what several rows accept is refused together for what tables know, or not at all', async () => {
    const client = new RuleClient(server.http);
    let accepted = 0;
    const property = fc.asyncProperty(some, async (chosen) => {
      const changes = recombined(chosen).map(changesOf);
      const { status, json } = await client.create(changed(base, ...changes));
      if (status === 201) accepted += 1;
      const causes: TestObject[] = status === 201 ? [] : (json.details?.causes ?? []);
      const unknown = causes.filter(({ field = '', message }) => !known.has(shapeOf(field, message)));
      expect({ status, message: json.message, unknown, changes }).toEqual({
        status: causes.length > 0 ? 422 : 201,
        message: json.message,
        unknown: [],
        changes,
      });
    });
    await fc.assert(property, { numRuns: rounds, seed, endOnFailure: true });
    expect(accepted).toBeGreaterThan(0);
  });
});
