/* What ends a part of a script early. */

/** The end of a shell. */
export class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** The end of a function. */
export class Return {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

/** The end of one or more loops, or of their turns. */
export class LoopControl {
  readonly kind: 'break' | 'continue';
  readonly levels: number;
  constructor(kind: 'break' | 'continue', levels: number) {
    this.kind = kind;
    this.levels = levels;
  }
}
