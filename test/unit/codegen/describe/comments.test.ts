import { expect, test } from '@jest/globals';
import { commentsIn } from '../../../../codegen/describe/comments.ts';

const declarations = `import * as p from "p";
export declare namespace core {
    namespace v1 {
        /**
         * The type.
         *
         *  - indented
         */
        interface Pod {
            /**
             * A field.
             */
            apiVersion?: p.Input<"v1">;
            plain: string;
            /**
             * With a type over several lines.
             */
            readonly 'x-y': Array<{
                name: string;
            }>;
            /**
             * The last.
             */
            last?: string;
        }
    }
}
/** On one line. */
export type Text = string;
/**
 * A class.
 */
export declare class List extends p.Resource {
    /**
     * A method
     * @param name what it is
     */
    list(name: string): string;
}
`;

test('comments are found with the declarations that follow them', () => {
  expect([...commentsIn(declarations)].map(({ scope, name, text }) => [...scope, name, text])).toEqual([
    ['core', 'v1', 'Pod', 'The type.\n\n - indented'],
    ['core', 'v1', 'Pod', 'apiVersion', 'A field.'],
    ['core', 'v1', 'Pod', 'x-y', 'With a type over several lines.'],
    ['core', 'v1', 'Pod', 'last', 'The last.'],
    ['Text', 'On one line.'],
    ['List', 'A class.'],
    ['List', 'list', 'A method\n@param name what it is'],
  ]);
});
