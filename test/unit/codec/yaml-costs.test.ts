import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeYaml } from '../../../runtime/codec/yaml.ts';
import { isDecodeError } from '../../../runtime/machinery/errors/decode-error.ts';
import { collect } from '../../support/collect.ts';
import { withoutBudget } from '../../support/event-loop-budget.ts';
import { expectLinear } from '../../support/growth.ts';

const counted = (length: number, line: (i: number) => string): string => {
  let text = '';
  for (let i = 0; text.length < length; i++) text += line(i);
  return text;
};
const repeated = (length: number, unit: string): string => unit.repeat(Math.ceil(length / unit.length));

/** Texts of about that many characters that take a slow decoder far too long. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
  tags: (n) => repeated(n, '- !!str a\n'),
  'tag directives': (n) => `${counted(n, (i) => `%TAG !t${i}! x\n`)}---\na\n`,
  comments: (n) => `a: 1\n${repeated(n, '# c\n')}`,
  'duplicate keys': (n) => repeated(n, 'a: 1\n'),
  'small keys': (n) => counted(n, (i) => `k${i}: 1\n`),
  'keys that are numbers': (n) => counted(n, (i) => `${i}: 1\n`),
  colons: (n) => `a: ${repeated(n, ':')}`,
  'empty entries': (n) => `{${repeated(n, 'a: ,')}}`,
  'question marks': (n) => repeated(n, '? a\n'),
  'tabs and newlines': (n) => `a: "b${repeated(n, '\t\n')}"`,
  newlines: (n) => `a: b${repeated(n, '\n')} c`,
  'lines of plain text': (n) => `a: b${repeated(n, '\n c')}`,
  'CR LF': (n) => repeated(n, '- b\r\n'),
  'line separators': (n) => `a: "b${repeated(n, '\u2028')}"`,
  anchors: (n) => counted(n, (i) => `- &a${i} x\n`),
  aliases: (n) => `- &a x\n${repeated(n, '- *a\n')}`,
  merges: (n) => `- &a {b: c}\n${repeated(n, '- <<: *a\n')}`,
  'a list of merges': (n) => `- &a {b: c}\n- <<: [${repeated(n, '*a,')}]\n`,
  'aliases of long text': (n) => `- &a ${repeated(n / 2, '1')}\n${repeated(n / 2, '- *a\n')}`,
  digits: (n) => repeated(n, '1'),
  'zeros and a nine': (n) => `${repeated(n, '0')}9`,
  underscores: (n) => repeated(n, '1_'),
  'dots and digits': (n) => `0.${repeated(n, '1')}x`,
  binary: (n) => `!!binary ${repeated(n, 'QUJD')}`,
  'depth in brackets': (n) => repeated(n, '['),
  'repeated depth': (n) => `[${repeated(n, `${'['.repeat(300)}${']'.repeat(300)},`)}]`,
  'keys in keys': (n) => repeated(n, `- ${'['.repeat(200)}a${']:x'.repeat(200)}\n`),
  'long text': (n) => `a: ${repeated(n, 'word ')}`,
  'a long key': (n) => `${repeated(n, 'x')}: 1\n`,
  'long keys': (n) => counted(n, (i) => `"${'x'.repeat(1000)}${i}": 1\n`),
  escapes: (n) => `a: "${repeated(n, '\\n')}"`,
  'single quotes': (n) => `a: '${repeated(n, "''")}'`,
  'literal lines': (n) => `a: |\n${repeated(n, ' x\n')}`,
  'empty literal lines': (n) => `a: |\n x${repeated(n, '\n')} y`,
  'astral characters': (n) => `[${repeated(n, '😀,')}]`,
  'a bad byte at the end': (n) => `${repeated(n, 'a: b\n')}\x01`,
  'keys that cannot be text': (n) => repeated(n, '~: 1\n'),
  'a key that is a list': (n) => `? [${repeated(n, 'a,')}]\n: 1`,
};

withoutBudget();

function decode(bytes: Uint8Array): void {
  try {
    decodeYaml(bytes, { duplicates: [] });
  } catch (error) {
    if (!isDecodeError(error)) throw error;
  }
}

describe('time grows linearly with the text', () => {
  test.each(Object.entries(hostile))('%s', (_name, text) => {
    expectLinear(60_000, (length) => {
      const bytes = Buffer.from(text(length));
      return () => decode(bytes);
    });
  });
});

describe('the result is bounded', () => {
  test('a message names a limited number of duplicate keys', () => {
    const duplicates: string[] = [];
    decodeYaml(Buffer.from('a: 1\n'.repeat(100_001)), { duplicates });
    const lines = duplicates[0].split('\n');
    expect(lines).toHaveLength(1 + 1000);
    expect(lines.at(-1)).toBe('  line 1001: key "a" already set in map');
  });

  test('values that are too large to show are omitted from errors', () => {
    const list = `[${'a,'.repeat(20_000)}]`;
    expect(() => decodeYaml(Buffer.from(`? ${list}\n: 1`))).toThrow(/^yaml: invalid map key: \.\.\.$/);
  });

  test('values do not retain the text', () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    const kept: unknown[] = [];
    for (let i = 0; i < 100; i++) {
      const text = `a: "this value is longer than a few characters ${i}"\nb: ${'x'.repeat(1_000_000)}\n`;
      kept.push((decodeYaml(Buffer.from(text)) as { a: unknown }).a);
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    expect(kept).toHaveLength(100);
  });
});

test('any bytes decode to a value or a DecodeError', () => {
  const pieces = [...'[]{}:,-?&*!|>\'"%@`# \n\t\r', 'a', '1', '~', '<<', '!!int ', '&a ', '*a', '---', '...', '\\', '\u2028', '\ufeff'];
  const yaml = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(yaml, (parts) => decode(Buffer.from(parts.join('')))),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => decode(bytes)),
    { numRuns: 1000 },
  );
});
