import { readSubjects } from '../../properties/subjects.ts';
import { knownWords } from '../../properties/words.ts';
import { access } from './access-source.ts';
import { admission } from './admission-source.ts';
import { bodies } from './bodies-source.ts';
import { definitionsSource } from './definitions-source.ts';
import { documents } from './documents-source.ts';
import type { Request } from './exchange.ts';
import { flow } from './flow-source.ts';
import { reads } from './reads-source.ts';
import { rules } from './rules-source.ts';
import { type Scene, Scenes } from './scenes.ts';
import type { PairOptions } from './server-pair.ts';

/** Makes random scenes of one kind. */
export interface Source {
  /** Options of both servers. */
  readonly options?: PairOptions;
  /** Sent to both servers before the first scene. */
  readonly given?: readonly Request[];
  /** How many scenes run at the same time. Default: 1. */
  readonly lanes?: number;
  /** The scenes of a round whose titles have the pattern. */
  scenes(seed: number, titles: RegExp): Iterable<Scene>;
  stop?(): Promise<void>;
}

/** Kinds whose answers are not the same in each run. */
const unordered = {
  'authorization.k8s.io/v1 SelfSubjectRulesReview': 'kube-apiserver lists the rules of bindings in the order of a Go map',
};

/** Objects of built-in kinds, a scene for each kind. */
async function objects(): Promise<Source> {
  const subjects = (await readSubjects()).filter(({ title }) => !(title in unordered));
  const text = knownWords();
  const scenes = subjects.map((subject) => ({ title: subject.title, scenes: new Scenes(subject, text) }));
  return {
    scenes: (seed, titles) => scenes.filter(({ title }) => titles.test(title)).map((one) => one.scenes.scene(seed)),
  };
}

/** The sources by the value of SOURCE. */
export const sources: Readonly<Record<string, () => Source | Promise<Source>>> = {
  objects,
  access,
  admission,
  flow,
  reads,
  documents,
  bodies,
  rules,
  definitions: () => definitionsSource(),
};
