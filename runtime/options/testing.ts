import { invalidFlag, type ParsedFlags, UsageError } from '../machinery/options/flags.ts';
import * as types from '../machinery/options/option-type.ts';
import { boolean, type FlagValue, file, list } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';
import { clock, fixture } from './option-types.ts';

/**
 * Returns a flag for tests. Its value is undefined if the flag is not set; reading throws a UsageError without
 * --test-controls, or if `parse` returns undefined.
 */
const forTests = <T>(
  check: types.OptionType<T>,
  value: string,
  about: string,
  parse: (text: string) => T | undefined,
): FlagValue<T | undefined> => ({
  type: 'string',
  value,
  check: check as FlagValue<T | undefined>['check'],
  read(flags: ParsedFlags, name: string) {
    const text = flags.string(name);
    if (text === undefined) return undefined;
    if (!flags.boolean('test-controls')) throw new UsageError(`--${name} needs --test-controls`);
    const parsed = parse(text);
    if (parsed === undefined) throw invalidFlag(name, text, about);
    return parsed;
  },
});

const manual = forTests(types.oneOf('manual'), 'manual', 'must be manual', (text) => (text === 'manual' ? text : undefined));
const integer = forTests(types.whole(Number.MIN_SAFE_INTEGER), 'NUMBER', 'must be an integer', (text) =>
  /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined,
);

/** The flags with which tests control and observe the server. */
export const testingOptions: readonly OptionRow[] = [
  {
    option: 'fixtures',
    flag: 'fixtures',
    value: list('PATH'),
    check: types.either(fixture, types.listOf(fixture)),
    type: 'FixtureSources',
    about: 'File or folder of manifests, for example from kubectl get -o yaml. The server writes them before it is ready. May be repeated.',
    doc:
      'Objects, and paths of files and folders with objects, that the server writes before it is ready; see docs/fixtures.md. ' +
      'Default: none.',
  },
  {
    option: 'snapshot',
    flag: 'snapshot',
    value: file(),
    about: 'Begin with exactly the objects of a file from kubeloom snapshot save. The store must be empty.',
    doc:
      'Path of a file by `saveSnapshot` or `kubeloom snapshot save`. The server starts with exactly its objects, in an empty ' +
      'store, before it writes fixtures. Default: none.',
  },
  {
    option: 'testControls',
    flag: 'test-controls',
    value: boolean(false),
    about:
      'Serve testing.kubeloom.dev, with which administrators make requests fail, advance the clock, and take and restore snapshots. For tests only.',
    doc:
      'Serves the group testing.kubeloom.dev, with which clients in the group system:masters control the server like tests in ' +
      'its process. Default: false. Never use it for a production server.',
  },
  {
    option: 'clock',
    flag: 'clock',
    value: manual,
    check: types.either(types.oneOf('manual'), clock),
    type: "'manual' | Clock",
    about: 'With --test-controls: manual is a clock that stands still until a ClockAdvance.',
    doc:
      '`manual` starts at 2026-01-01T00:00:00Z and only moves by `clock.advance`. All timing of the server follows it, ' +
      "including request deadlines, except for waiting for other programs. Default: the system's, or `manual` with a seed.",
  },
  {
    option: 'seed',
    flag: 'seed',
    value: integer,
    about: 'With --test-controls: determines all random choices, and makes the clock manual.',
    doc:
      "An integer that determines all random choices: uids, generated names, addresses, jitter, and the server's own " +
      'certificates and keys. Servers with the same seed and requests have the same objects at the same revisions. The keys ' +
      "are public, so use it for tests only. Default: the system's randomness.",
  },
  {
    option: 'requestLog',
    check: types.count(),
    doc:
      'The number of finished requests that RunningServer.requests remembers, besides running ones; about half a KiB each. 0 ' +
      'records nothing. Default: 10,000 with testControls, otherwise 0.',
  },
];
