import { type Difference, nameIn } from './causes.ts';

/** The objects that the reference has stored with whole numbers as floats, which it does only in CBOR. */
export class FloatObjects {
  readonly #seen = new Set<string>();

  /** @param json an object or a watch event that the reference returned for the path, with such a number */
  add(path: string, json: string): void {
    const seed = /^\/apis\/r(\d+)\./.exec(path)?.[1];
    const document = JSON.parse(json);
    const { name } = (document.object ?? document).metadata ?? {};
    if (seed !== undefined && name !== undefined) this.#seen.add(`${seed} ${name}`);
  }

  /** Whether the difference is about such an object. */
  has({ seed, request, path }: Difference): boolean {
    const name = /^event\[\d+\] [A-Z]+ [^:]*\/([^:]+): /.exec(path)?.[1] ?? nameIn(request);
    return name !== undefined && this.#seen.has(`${seed} ${name}`);
  }
}
