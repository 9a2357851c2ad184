import type { TypeModel } from '../model/model.ts';

/** Names of the functions that the other emitters write for a type; absent where they write none. */
export interface FunctionNames {
  readonly prune: string;
  readonly setDefaults: string;
  readonly validate: string;
  readonly validateUpdate?: string;
  readonly codec?: string;
}

export function functionNames(type: TypeModel): FunctionNames {
  const updates = type.rules.some((rule) => rule.check === 'custom' && rule.on === 'update');
  return {
    prune: `prune${type.name}`,
    setDefaults: `setDefaults${type.name}`,
    validate: `validate${type.name}`,
    ...(updates ? { validateUpdate: `validateUpdate${type.name}` } : {}),
    ...(type.message === undefined ? {} : { codec: `codec${type.name}` }),
  };
}
