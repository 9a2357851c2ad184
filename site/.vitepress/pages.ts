/** A heading of the sidebar with its pages: the text of each, and the path of its document without `.md`. */
export interface Chapter {
  readonly title: string;
  readonly items: readonly (readonly [text: string, link: string])[];
}

/** All pages, in the order of the sidebar. */
export const pages: readonly Chapter[] = [
  {
    title: 'Begin',
    items: [
      ['Kubeloom', '/'],
      ['The first five minutes', '/docs/first-five-minutes'],
      ['Installing', '/docs/installing'],
      ['Beside other ways to test', '/docs/comparison'],
      ['Features', '/docs/features'],
    ],
  },
  {
    title: 'Test an operator',
    items: [
      ['Jest, Vitest, and any language', '/docs/testing'],
      ['Go', '/kits/go/README'],
      ['Python', '/kits/python/README'],
      ['Java', '/kits/java/README'],
      ['Rust', '/docs/rust'],
      ['.NET', '/docs/dotnet'],
      ['Suites of envtest', '/docs/envtest'],
      ['A tutorial with nine mistakes', '/docs/testing-an-operator'],
    ],
  },
  {
    title: 'Test controls',
    items: [
      ['Recipes', '/docs/recipes'],
      ['Faults', '/docs/faults'],
      ['Snapshots, resets and forks', '/docs/forks'],
      ['History, recordings and replays', '/docs/history'],
      ['Fixtures', '/docs/fixtures'],
      ['Over the wire', '/docs/test-controls'],
      ['Simulating a cluster', '/docs/simulation'],
      ['Pods that are your own programs', '/docs/pod-programs'],
      ['The page', '/docs/page'],
    ],
  },
  {
    title: 'Your own API',
    items: [
      ['Your own API group', '/docs/new-group'],
      ['Two versions of a kind', '/docs/group-versions'],
      ['Your own aggregated server', '/docs/aggregated-server'],
      ['Releases of Kubernetes', '/docs/versions'],
      ['Another release', '/docs/new-version'],
    ],
  },
  {
    title: 'Run it',
    items: [
      ['For a team', '/docs/running-for-a-team'],
      ['Options', '/docs/options'],
      ['Storage', '/docs/storage'],
      ['Backups', '/docs/backup'],
      ['More than one server', '/docs/scale'],
      ['Priority and fairness', '/docs/flow-control'],
      ['Security', '/docs/security'],
      ['Limits', '/docs/limits'],
    ],
  },
  {
    title: 'Know it',
    items: [
      ['Compatibility', '/docs/compatibility'],
      ['Differences', '/docs/differences'],
      ['Validation, counted', '/docs/validation-coverage'],
      ['Benchmarks', '/docs/benchmarks'],
      ['TypeScript API', '/api/'],
      ['Changes', '/CHANGELOG'],
    ],
  },
  {
    title: 'Change it',
    items: [
      ['Contributing', '/CONTRIBUTING'],
      ['Reading the source', '/docs/reading-the-source'],
      ['Architecture', '/ARCHITECTURE'],
    ],
  },
];
