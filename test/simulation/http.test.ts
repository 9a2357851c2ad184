import { describe, test } from '@jest/globals';
import { HttpRound } from './http-round.ts';
import { rounds } from './rounds.ts';

/** Random clients of a server, compared with a simple model of its store. */

describe('watches and reads over HTTP are ordered, unique, complete, resumable and bookmarked', () => {
  test(
    'over memory',
    rounds(30, (seed) => new HttpRound(seed, 'memory').run()),
    600_000,
  );
  test(
    'over lmdb',
    rounds(8, (seed) => new HttpRound(seed, 'lmdb').run()),
    600_000,
  );
});
