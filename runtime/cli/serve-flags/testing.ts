import { type Flag, type ParsedFlags, UsageError } from '../flags.ts';
import { boolean, file, list } from './flag-values.ts';
import { type FlagValue, invalidFlag, type ServeFlag } from './serve-flag.ts';

/** Undefined if the flag is not set. @throws UsageError without --test-controls, and if `parse` finds no value */
const forTests = <T>(value: string, about: string, parse: (text: string) => T | undefined): FlagValue<T | undefined> => ({
  type: 'string',
  value,
  read(flags: ParsedFlags, name: string) {
    const text = flags.string(name);
    if (text === undefined) return undefined;
    if (!flags.boolean('test-controls')) throw new UsageError(`--${name} needs --test-controls`);
    const parsed = parse(text);
    if (parsed === undefined) throw invalidFlag(name, text, about);
    return parsed;
  },
});

const manual = forTests('manual', 'must be manual', (text) => (text === 'manual' ? text : undefined));
const integer = forTests('NUMBER', 'must be an integer', (text) =>
  /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined,
);

/** What tests steer and see. */
export const testingFlags: readonly ServeFlag[] = [
  {
    name: 'fixtures',
    option: 'fixtures',
    value: list('PATH'),
    about:
      'A file or a folder of manifests, or of what kubectl get -o yaml printed, which the server has before it is ready. May be repeated.',
  },
  {
    name: 'snapshot',
    option: 'snapshot',
    value: file(),
    about: 'Begin with exactly the objects of a file from kubeloom snapshot save. The store must be empty.',
  },
  {
    name: 'test-controls',
    option: 'testControls',
    value: boolean(false),
    about:
      'Serve testing.kubeloom.dev, by which administrators make requests fail, advance the clock, and take and restore snapshots. For tests only.',
  },
  {
    name: 'clock',
    option: 'clock',
    value: manual,
    about: 'With --test-controls: manual is a clock that stands still until a ClockAdvance.',
  },
  {
    name: 'seed',
    option: 'seed',
    value: integer,
    about: 'With --test-controls: decides all that is left to chance, and makes the clock manual.',
  },
];

export const exitWithStdin = 'exit-with-stdin';

/** Of the command, not of the server. */
export const testingCommandFlags: readonly Flag[] = [
  {
    name: exitWithStdin,
    type: 'boolean',
    default: 'false',
    about: 'End when standard input does: a test that holds its other end takes the server with it, even if it is killed.',
  },
];
