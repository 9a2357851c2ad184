import { beforeAll, describe, expect } from '@jest/globals';
import type { HttpClient, HttpResponse } from '../support/http-client.ts';
import { testUnless } from '../support/skipping.ts';
import type { TestObject } from '../support/test-object.ts';
import { changed, valueAt } from './changes.ts';
import { define, type Watched } from './define.ts';
import { optionsVersion } from './options-client.ts';
import { RuleClient } from './rule-client.ts';
import { type Changes, type Effect, isDone, type Rule, type RuleTable, readTables, type Warning } from './table.ts';

/** A server for the rules, open while the tests of a file run. */
export interface RuleServer {
  readonly http: HttpClient;
  readonly server: Watched;
}

type Case = Rule | Effect | Warning;

const creates = ({ apiVersion }: RuleTable, { on = 'create', with: options }: Case): boolean =>
  apiVersion === optionsVersion ? options?.kind === 'CreateOptions' : on === 'create';

/** Returns the title of a row. */
const titleOf = (row: Case): string => {
  const field = 'field' in row ? `${row.field}: ` : '';
  const { on = 'create', apiVersion } = row;
  const where = [on === 'create' ? '' : `on ${on}`, apiVersion ?? ''].filter((text) => text !== '').join(', ');
  return `${field}${row.when}${where === '' ? '' : ` (${where})`}`;
};

const textOrPattern = (text: string): unknown => {
  const parts = text.split('…');
  if (parts.length === 1) return text;
  const quoted = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${quoted.join('.*')}$`, 's'));
};

/** Expects a 2xx; a failure shows the message of the refusal. */
function expectAccepted(response: HttpResponse): HttpResponse {
  const isAccepted = response.status >= 200 && response.status < 300;
  expect(isAccepted ? 'accepted' : `${response.status} ${response.json?.message}`).toBe('accepted');
  return response;
}

const eachBut =
  ({ name }: RuleTable, exceptions: RowExceptions) =>
  <T extends Case>(rows: readonly T[], run: (row: T) => Promise<void>): void => {
    for (const row of rows.filter(isDone)) {
      const title = titleOf(row);
      testUnless(exceptions[`${name} › ${title}`])(title, () => run(row));
    }
  };

/** Reasons why rows do not hold on a server, by `<table> › <title>`. */
export type RowExceptions = Readonly<Record<string, string>>;

/** Tests each row of the tables on a server. */
export function describeRules(server: () => RuleServer, exceptions: RowExceptions = {}): void {
  let client: RuleClient;
  beforeAll(() => {
    client = new RuleClient(server().http);
  });

  /** Sends the write of a row with some changes, and removes its objects. */
  async function send(table: RuleTable, row: Case, changes: Changes | undefined): Promise<HttpResponse> {
    const others: TestObject[] = [];
    try {
      for (const object of row.given ?? table.given ?? []) others.push(await storeWithStatus(object, 'status'));
      return await sendBeside(table, row, changes);
    } finally {
      for (const object of others) await client.delete(object);
    }
  }

  async function sendBeside(table: RuleTable, row: Case, changes: Changes | undefined): Promise<HttpResponse> {
    const { apiVersion = table.apiVersion, on = 'create' } = row;
    const base = { apiVersion, kind: table.kind, ...table.base };
    if (on === 'create') {
      const object = changed(base, row.from, row.with, changes);
      const response = await as(row, (sender) => sender.create(object, table.path, row.lasts));
      if (row.lasts && response.status === 201) await client.delete(response.json);
      return response;
    }
    if (on === 'delete') return client.deleteDry(changed(base, row.from, row.with, changes));
    const stored = await storeWithStatus(changed(base, row.from), row.via ?? 'status');
    try {
      const object = changed(stored, row.with, changes);
      return await as(row, (sender) => sender.replace(object, on === 'update' ? undefined : on, { at: stored }));
    } finally {
      await client.delete(stored);
    }
  }

  const as = (row: Case, run: (sender: RuleClient) => Promise<HttpResponse>): Promise<HttpResponse> =>
    row.as === undefined ? run(client) : client.asUserWith(row.as, run);

  /** Writes the status separately, because a create does not store it. */
  async function storeWithStatus(wanted: TestObject, via: string): Promise<TestObject> {
    const created = await client.store(wanted);
    if (via === 'delete') return client.startDeleting(created);
    if (wanted.status === undefined) return created;
    const { status, json } = await client.replace({ ...created, status: wanted.status }, via, { dryRun: false });
    if (status !== 200) throw new Error(`the status that the row begins with is refused: ${json.message}`);
    return json;
  }

  describe.each(readTables())('$name', (table) => {
    const { definition } = table;
    if (definition !== undefined) beforeAll(() => define(server().server, server().http, definition));

    const each = eachBut(table, exceptions);
    each(table.rules, async (row) => {
      const { json, status } = await send(table, row, row.refused);
      const { code = 422 } = row;
      if (code === 422) {
        const causes = (json.details?.causes ?? []).map(({ field = '', message }: TestObject) => `${field}: ${message}`);
        // the message is shown where the causes are missing
        const found = causes.length > 0 ? causes : [json.message];
        expect({ status, causes: found }).toEqual({
          status: 422,
          causes: expect.arrayContaining([textOrPattern(`${row.field}: ${row.error}`)]),
        });
      } else {
        const causes = (json.details?.causes ?? []).map(({ message }: TestObject) => message);
        const message = [json.message, ...causes].join('\n');
        expect({ status, message }).toEqual({ status: code, message: expect.stringContaining(row.error) });
      }
      const { acceptedFrom = row.from, acceptedGiven = row.given } = row;
      const other = await send(table, { ...row, from: acceptedFrom, given: acceptedGiven }, row.accepted);
      expectAccepted(other);
      expect(other.status).toBe(creates(table, row) ? 201 : 200);
    });

    for (const rows of [table.defaults, table.preparation]) {
      each(rows, async (row) => {
        const { json } = expectAccepted(await send(table, row, row.set));
        const given = Object.fromEntries(Object.keys(row.gives).map((path) => [path, valueAt(json, path) ?? null]));
        expect(given).toEqual(row.gives);
      });
    }

    each(table.warnings, async (row) => {
      const { headers } = expectAccepted(await send(table, row, row.set));
      expect(String(headers.warning ?? '')).toContain(`299 - ${JSON.stringify(row.warns)}`);
      const { headers: without } = await send(table, row, {});
      expect(String(without.warning ?? '')).not.toContain(JSON.stringify(row.warns));
    });
  });
}
