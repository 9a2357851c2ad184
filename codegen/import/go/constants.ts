import type { GoConstant, GoFile, GoOperand, GoPackages } from './declarations.ts';

/** A constant with its file and the file's package. */
interface Declared {
  readonly constant: GoConstant;
  readonly file: GoFile;
  readonly goPackage: string;
}

/** The string constants of some packages. */
export class StringConstants {
  readonly #declared = new Map<string, Declared>();
  readonly #packages: GoPackages;

  constructor(packages: GoPackages) {
    this.#packages = packages;
    for (const [goPackage, files] of packages) {
      for (const file of files)
        for (const constant of file.constants) this.#declared.set(keyOf(goPackage, constant.name), { constant, file, goPackage });
    }
  }

  /**
   * Returns the values of a package's constants by type name, in the order of the source. A type is absent if the value
   * of one of its constants is unknown.
   */
  byType(goPackage: string): ReadonlyMap<string, readonly string[]> {
    const byType = new Map<string, (string | undefined)[]>();
    for (const file of this.#packages.get(goPackage) ?? []) {
      for (const constant of file.constants.filter(({ type }) => type !== '')) {
        const value = this.#valueOf({ constant, file, goPackage }, new Set());
        byType.set(constant.type, [...(byType.get(constant.type) ?? []), value]);
      }
    }
    const known = [...byType].filter((entry): entry is [string, string[]] => !entry[1].includes(undefined));
    return new Map(known);
  }

  /**
   * Returns the value of a constant by its name in a package, or by import path and name:
   * `k8s.io/api/core/v1.PodPending`.
   */
  value(name: string, goPackage: string): string | undefined {
    const dot = name.lastIndexOf('.');
    const declared = this.#declared.get(dot < 0 ? keyOf(goPackage, name) : keyOf(name.slice(0, dot), name.slice(dot + 1)));
    return declared && this.#valueOf(declared, new Set());
  }

  /** @param asked the constants whose values depend on this one; they detect cycles */
  #valueOf({ constant, file, goPackage }: Declared, asked: ReadonlySet<GoConstant>): string | undefined {
    if (constant.value === undefined || asked.has(constant)) return undefined;
    const operands = constant.value.map((operand: GoOperand) => {
      if ('text' in operand) return operand.text;
      const declared = this.#find(operand.constant, file, goPackage);
      return declared && this.#valueOf(declared, new Set([...asked, constant]));
    });
    return operands.includes(undefined) ? undefined : operands.join('');
  }

  #find(name: string, { imports }: GoFile, goPackage: string): Declared | undefined {
    const dot = name.indexOf('.');
    if (dot < 0) return this.#declared.get(keyOf(goPackage, name));
    const path = imports.get(name.slice(0, dot));
    return path === undefined ? undefined : this.#declared.get(keyOf(path, name.slice(dot + 1)));
  }
}

const keyOf = (goPackage: string, name: string): string => `${goPackage} ${name}`;
