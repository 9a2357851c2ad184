import { describe, expect, it } from '@jest/globals';
import { commonFlags } from '../../../runtime/cli/common-flags.ts';
import { describeServeFlags, serveFlags } from '../../../runtime/cli/serve-flags.ts';

const namesIn = (text: string): string[] => [...text.matchAll(/^ {6}--([a-z0-9-]+)/gm)].map(([, name]) => name as string);

describe('the help of kubeloom serve', () => {
  it('describes the twenty common flags', () => {
    expect(commonFlags).toHaveLength(20);
    expect(namesIn(describeServeFlags(false)).sort()).toEqual([...commonFlags].sort());
  });

  it('describes each flag once with --help=all', () => {
    expect(namesIn(describeServeFlags(true)).sort()).toEqual(serveFlags.map(({ name }) => name).sort());
  });
});
