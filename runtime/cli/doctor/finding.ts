/** The result of one check of `kubeloom doctor`. */
export interface Finding {
  /** A noun: `port`. */
  readonly name: string;
  /** `warning`: a server starts, but without something. `error`: it does not start. */
  readonly level: 'ok' | 'warning' | 'error';
  /** What was seen, and for a problem what to do about it. */
  readonly text: string;
}

/** A check. It finds nothing if its subject is not there, as a folder before the first start. */
export type Check = (place: CheckedPlace) => Promise<Finding | undefined> | Finding | undefined;

/** What a server would be started with. */
export interface CheckedPlace {
  readonly bindAddress: string;
  readonly port: number;
  readonly dataDir: string;
  readonly certDir: string;
}

export const ok = (name: string, text: string): Finding => ({ name, level: 'ok', text });
export const warning = (name: string, text: string): Finding => ({ name, level: 'warning', text });
export const error = (name: string, text: string): Finding => ({ name, level: 'error', text });
