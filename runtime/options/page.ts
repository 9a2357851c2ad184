import { boolean } from './flag-values.ts';
import type { OptionRow } from './option-row.ts';

export const pageOptions: readonly OptionRow[] = [
  {
    option: 'ui',
    flag: 'ui',
    value: boolean(false),
    about: 'Serve a page of the server at /ui, and print a link that opens it. kubeloom ui makes further links.',
    doc:
      'Serves a page of the server at /ui, for browsers with a session. `ui.link()` returns a link that opens one. Default: false; ' +
      'see docs/page.md.',
  },
];
