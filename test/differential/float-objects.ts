import { type Difference, nameIn } from './causes.ts';

/** The objects with whole numbers that the reference has stored as floats, as it does only in CBOR. */
export class FloatObjects {
  readonly #seen = new Set<string>();

  /** @param json an object or a watch event from the reference for the path, with such a number */
  add(path: string, json: string): void {
    const seed = /^\/apis\/r(\d+)\./.exec(path)?.[1];
    const document = JSON.parse(json);
    const { name } = (document.object ?? document).metadata ?? {};
    if (seed !== undefined && name !== undefined) this.#seen.add(`${seed} ${name}`);
  }

  /** Reports whether the difference concerns such an object. */
  has({ seed, request, path }: Difference): boolean {
    const name = /^event\[\d+\] [A-Z]+ [^:]*\/([^:]+): /.exec(path)?.[1] ?? nameIn(request);
    return name !== undefined && this.#seen.has(`${seed} ${name}`);
  }
}
