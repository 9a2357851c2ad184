/** The project that a template is written for. */
export interface InitProject {
  /** The folder that gets the files. */
  readonly folder: string;
  /** The folder of the kits, in a checkout of Kubeloom. Packages do not have it. */
  readonly kits: string | undefined;
}

/** What `kubeloom init` can write. */
export interface Template {
  readonly name: string;
  readonly about: string;
  /** Returns the files by their paths below the folder. */
  files(project: InitProject): Readonly<Record<string, string>>;
  /** Returns the commands that run the files. */
  commands(project: InitProject): readonly string[];
  /** The document that goes on from here. */
  readonly document: string;
}
