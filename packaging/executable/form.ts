import type { Target } from './targets.ts';

/** How files of a platform begin, and the number of the processor at a position. */
interface Form {
  /** The most bytes of an executable. */
  readonly limit: number;
  readonly magic: string;
  processor(file: Buffer): number;
  readonly processors: Readonly<Record<string, number>>;
}

const forms: Readonly<Record<string, Form>> = {
  linux: { limit: 130e6, magic: '7f454c46', processor: (file) => file.readUInt16LE(0x12), processors: { x64: 0x3e, arm64: 0xb7 } },
  // Node for macOS has its symbols, which only its own tools remove
  darwin: {
    limit: 160e6,
    magic: 'cffaedfe',
    processor: (file) => file.readUInt32LE(4),
    processors: { x64: 0x01000007, arm64: 0x0100000c },
  },
  win32: {
    limit: 130e6,
    magic: '4d5a',
    processor: (file) => file.readUInt16LE(file.readUInt32LE(0x3c) + 4),
    processors: { x64: 0x8664, arm64: 0xaa64 },
  },
};

/** Node looks for what is inside if this text ends with 1. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:';

/** Fails unless an executable has the target's format and processor, the server inside, and an allowed size. */
export function expectForm({ name }: Target, file: Buffer): void {
  const [platform = '', processor = ''] = name.split('-');
  const form = forms[platform] as Form;
  const expect = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`the executable for ${name} ${what}`);
  };
  expect(file.toString('hex', 0, form.magic.length / 2) === form.magic, `does not begin with ${form.magic}`);
  expect(form.processor(file) === form.processors[processor], `is for processor ${form.processor(file)}`);
  expect(file.includes(`${fuse}1`) && !file.includes(`${fuse}0`), 'does not run the program inside');
  expect(file.includes('"dist/runtime/cli/main.js":['), 'has no server inside');
  expect(file.length < form.limit, `has ${file.length} bytes`);
}
